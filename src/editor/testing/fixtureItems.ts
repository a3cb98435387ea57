import * as vscode from 'vscode';
import { exactText } from '../kit/files.ts';
import { t } from '../../shared/text/l10n.ts';
import { joined } from '../kit/tree.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { textOfFile } from '../../shared/text/textOfFile.ts';
import type { TextPlace } from '../../shared/text/textPlace.ts';
import { top } from '../../suite/fixture/fixture.ts';
import { FixtureError, largestFile } from '../../suite/fixture/readFixture.ts';
import { fixtureTitle, testsIn, tooLarge } from '../../suite/fixture/foundFixtures.ts';
import type { SuiteTest } from '../../suite/run/runSuite.ts';
import { variantText } from '../../suite/run/variant.ts';

/** A test that can be run, and where the Test view shows it. */
export interface PlacedTest {
  item: vscode.TestItem;
  uri: vscode.Uri;
  test: SuiteTest;
}

/** The items of the Test view: folders of fixtures, which contain variants where they have several. */
export class FixtureItems {
  readonly #controller: vscode.TestController;
  /** The items of fixtures by URI. */
  readonly #files = new Map<string, vscode.TestItem>();
  /** The tests of variants and of broken files. */
  readonly #tests = new WeakMap<vscode.TestItem, SuiteTest>();

  constructor(controller: vscode.TestController) {
    this.#controller = controller;
  }

  /** Whether it is a fixture that is shown, or a folder that holds one. */
  has(uri: vscode.Uri): boolean {
    const name = uri.toString();
    return this.#files.has(name) || [...this.#files.keys()].some((file) => file.startsWith(`${name}/`));
  }

  /** Shows exactly these fixtures, and reads those that are new: only their text says what is below them. */
  async show(found: readonly vscode.Uri[]): Promise<void> {
    const names = new Set(found.map(String));
    for (const [name, item] of this.#files) if (!names.has(name)) this.#remove(item);
    const added = found.filter((uri) => !this.#files.has(uri.toString())).map((uri) => this.#add(uri));
    for (const item of added) await this.read(item);
  }

  #add(uri: vscode.Uri): vscode.TestItem {
    const item = this.#controller.createTestItem(uri.toString(), plainText(fixtureTitle(uri.path)), uri);
    item.range = rangeAt(top);
    this.#files.set(item.id, item);
    this.#folderOf(uri).children.add(item);
    return item;
  }

  /** Handles a changed file: reads it again. */
  async change(uri: vscode.Uri): Promise<void> {
    const item = this.#files.get(uri.toString());
    if (item !== undefined) await this.read(item);
  }

  #remove(item: vscode.TestItem): void {
    const folder = item.parent;
    this.#files.delete(item.id);
    folder?.children.delete(item.id);
    if (folder?.children.size === 0) this.#controller.items.delete(folder.id);
  }

  /** Reads a fixture from the editor if it is open there, else from the disk. Ignores items other than files. */
  async read(item: vscode.TestItem): Promise<void> {
    const { uri } = item;
    if (uri === undefined || this.#files.get(item.id) !== item) return;
    const text = await textOf(uri);
    const tests = testsIn(vscode.workspace.asRelativePath(uri), text);
    const [first] = tests;
    if (first === undefined) return;
    if ('problem' in first.read) {
      const { message } = first.read.problem;
      item.error = message;
      item.range = rangeAt(first.read.problem.place);
      item.children.replace([]);
      this.#tests.set(item, first);
      return;
    }
    item.error = undefined;
    item.range = rangeAt(top);
    const { app = '', madeHere } = first.read.fixture;
    const shown = plainText(app);
    // The editor reads the description out in place of the label.
    const isNamed = item.label.startsWith(shown);
    item.description = joined(' · ', !isNamed && shown, madeHere && t('made here'));
    // A fixture of one variant is that test: rows of its own would all be called alike among the results.
    const hasVariants = tests.length > 1;
    if (hasVariants) this.#tests.delete(item);
    else this.#tests.set(item, first);
    item.children.replace(
      hasVariants ? tests.flatMap((test, index) => this.#variantItem(item, test, index)) : [],
    );
  }

  /** The requested tests, file by file, each once. Files are read again. */
  async chosen({ include, exclude = [] }: vscode.TestRunRequest): Promise<PlacedTest[]> {
    const excluded = new Set(exclude);
    const found = new Map<vscode.TestItem, PlacedTest>();
    const readFiles = new Set<vscode.TestItem>();
    const readOnce = async (item: vscode.TestItem): Promise<void> => {
      if (readFiles.has(item)) return;
      readFiles.add(item);
      await this.read(item);
    };
    const visit = async (item: vscode.TestItem): Promise<void> => {
      if (excluded.has(item)) return;
      // Read the file of a variant first: the variant may have changed or gone.
      await readOnce(item.parent !== undefined && this.#isFile(item.parent) ? item.parent : item);
      const test = this.#tests.get(item);
      const isThere = item.parent?.children.get(item.id) === item;
      if (test !== undefined && item.uri !== undefined && isThere)
        found.set(item, { item, uri: item.uri, test });
      for (const child of sorted(item.children)) await visit(child);
    };
    for (const item of include ?? sorted(this.#controller.items)) await visit(item);
    return [...found.values()];
  }

  #isFile(item: vscode.TestItem): boolean {
    return this.#files.get(item.id) === item;
  }

  #folderOf(uri: vscode.Uri): vscode.TestItem {
    const folder = vscode.Uri.joinPath(uri, '..');
    const { items } = this.#controller;
    const known = items.get(folder.toString());
    if (known !== undefined) return known;
    // The path of a folder of the workspace would be that of this machine.
    const root = vscode.workspace.workspaceFolders?.find((one) => String(one.uri) === String(folder));
    const label = plainText(root?.name ?? vscode.workspace.asRelativePath(folder), 300);
    const made = this.#controller.createTestItem(folder.toString(), label, folder);
    items.add(made);
    return made;
  }

  #variantItem(file: vscode.TestItem, test: SuiteTest, index: number): vscode.TestItem[] {
    if ('problem' in test.read) return [];
    const { name, place } = test.read.variant;
    // The results show no parents.
    const label = `${variantText(name)} · ${file.label}`;
    const item = file.children.get(name) ?? this.#controller.createTestItem(name, label, file.uri);
    item.range = rangeAt(place);
    // Sorts variants in the order in which they run.
    item.sortText = String(index).padStart(4, '0');
    this.#tests.set(item, test);
    return [item];
  }
}

function sorted(items: vscode.TestItemCollection): vscode.TestItem[] {
  const order = ({ sortText, id }: vscode.TestItem): string => sortText ?? id;
  return [...items].map(([, item]) => item).sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

function rangeAt({ line, character }: TextPlace): vscode.Range {
  return new vscode.Range(line, character, line, character);
}

/** Returns a function that returns the text, or throws the reason why it cannot be read. */
async function textOf(uri: vscode.Uri): Promise<() => string> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  try {
    if (open !== undefined) {
      const text = await exactText(open);
      return () => text;
    }
    // Do not read a file that is too large.
    if ((await vscode.workspace.fs.stat(uri)).size > largestFile) return fail(tooLarge());
    const bytes = await vscode.workspace.fs.readFile(uri);
    return () => textOfFile(bytes);
  } catch (error) {
    return fail(error instanceof Error ? error : new FixtureError(String(error), top));
  }
}

const fail = (error: Error) => (): string => {
  throw error;
};
