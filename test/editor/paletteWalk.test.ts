import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isForCallers } from '../../src/contract/commandRow.ts';
import { allCommands, type CommandId, commandIds } from '../../src/contract/commands.ts';
import { listFixtures } from '../../src/editor/deliveries/fixtures/fixtureFiles.ts';
import { contextIds, schemes } from '../../src/editor/kit/ids.ts';
import { handlerSuffixes } from '../../src/editor/kit/handlerConfiguration.ts';
import { codeLenses } from '../support/editor/codeLenses.ts';
import {
  answerPrompts,
  command,
  deliveries,
  eventually,
  setSetting,
  shownMessages,
} from '../support/editor/inEditor.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import { type Context, evaluateWhen } from '../support/editor/whenClause.ts';

/**
 * Every command of the palette, run as from there, in three states. What came of each stands in
 * `test/fixtures/paletteWalk.json`, read by a person: a new command needs its row there, and a new message its verbs.
 */
type Rows = Record<string, Record<string, readonly string[]>>;

const { extensionPath } = vscode.extensions.getExtension('runhook.runhook')!;
const inExtension = (path: string): unknown => JSON.parse(readFileSync(join(extensionPath, path), 'utf8'));
// As it is written: the editor gives the clauses in an order of its own.
const { commands, menus } = (
  inExtension('package.json') as {
    contributes: {
      commands: { command: CommandId }[];
      menus: Record<'commandPalette', { command: string; when: string }[]>;
    };
  }
).contributes;

/** What the palette shows of Runhook. */
function shown(context: Context): CommandId[] {
  const ids = commands.map(({ command: id }) => id);
  return ids.filter((id) =>
    menus.commandPalette.every(({ command: other, when }) => other !== id || evaluateWhen(when, context)),
  );
}

/** What differs from one machine, or one time, to the next. */
function steady(text: string): string {
  return text
    .replaceAll(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:…')
    .replace(/Files searched: .*/, 'Files searched: …');
}

/** Somebody who takes the first choice of each pick, types a token or a name for a payload, and agrees to nothing. */
class Walker {
  #seen: string[] = [];
  /** The kind of each question of the last walk. */
  kinds: string[] = [];
  /** How many questions are answered before one is left, as by Escape. */
  #left = Infinity;
  readonly #window = { ...vscode.window };
  readonly #save = vscode.workspace.save;

  /**
   * Runs a command as the palette does, or as a click that passes arguments.
   * @param left how many questions are answered before one is left
   * @returns what was asked and said, and whether it rejected
   */
  async walk(id: string, given: readonly unknown[] = [], left = Infinity): Promise<string[]> {
    this.#seen = [];
    this.kinds = [];
    this.#left = left;
    await shownMessages();
    await answerPrompts(...Array.from({ length: 20 }, () => this.#answer));
    const rejected = await vscode.commands.executeCommand(id, ...given).then(
      () => [],
      (error: unknown) => [`rejects: ${String(error)}`],
    );
    await answerPrompts();
    const messages = (await shownMessages()).map(({ message, verbs }) => line('says', message, verbs));
    return [...this.#seen, ...messages, ...rejected].map(steady);
  }

  /** Has what is shown past the prompts be seen too. */
  watch(): void {
    const watched =
      (kind: string) =>
      (message: string, ...rest: unknown[]) => {
        const verbs = rest.filter((one) => typeof one === 'string');
        const isModal = rest.some((one) => typeof one === 'object' && one !== null && 'modal' in one);
        this.#seen.push(line(isModal ? 'MODAL' : kind, message, verbs));
        return Promise.resolve(undefined);
      };
    Object.assign(vscode.window, {
      showErrorMessage: watched('shows an error'),
      showWarningMessage: watched('warns'),
      showInformationMessage: watched('informs'),
    });
    // The editor's own question where a document without a file goes: it is left.
    Object.assign(vscode.workspace, { save: () => Promise.resolve(undefined) });
  }

  leave(): void {
    const { showErrorMessage, showWarningMessage, showInformationMessage } = this.#window;
    Object.assign(vscode.window, { showErrorMessage, showWarningMessage, showInformationMessage });
    Object.assign(vscode.workspace, { save: this.#save });
  }

  readonly #answer = (question: string, _detail: string, _verb: string, kind: string): unknown => {
    this.kinds.push(kind);
    if (this.#seen.filter((one) => /^(asks|leaves)/.test(one)).length >= this.#left) {
      this.#seen.push(`leaves: ${question}`);
      return undefined;
    }
    this.#seen.push(`asks: ${question}`);
    if (kind === 'pick') return { kept: true };
    if (kind !== 'input') return undefined;
    if (question.startsWith('Token of')) return 'a-token-that-is-refused';
    return question === 'Name of the payload' ? 'mine' : undefined;
  };
}

function line(what: string, message: string, verbs: readonly string[]): string {
  return `${what}: ${[message, ...verbs.map((verb) => `[${verb}]`)].join(' ')}`;
}

describe('a walk over every command of the palette', () => {
  const walker = new Walker();
  const service = new SandboxGate();
  const path = process.env['PATH'] ?? '';
  const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'walk.runhook.json');
  const account = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };
  /** The response of the run before may open at this moment, and only one of the two does. */
  const show = async (document: vscode.Uri) =>
    eventually(() => Promise.resolve(vscode.window.showTextDocument(document)).catch(() => undefined));
  const showFile = async () => show(file);

  /** Each state: what the editor knows of it, and how it comes about. */
  const states: Record<string, { context: Context; enter: () => Promise<unknown> }> = {
    'nothing set up': { context: {}, enter: async () => command('stopSandbox') },
    'the sandbox runs': {
      context: { [contextIds.sandboxRunning]: true },
      enter: async () => command('startSandbox', {}),
    },
    'the service refuses': {
      context: { [contextIds.projectAdded]: true, 'config.runhook.listener.publicUrl': true },
      enter: async () => {
        await setSetting('projects', [
          { id: account.projectId, serviceAccounts: [{ id: 'sa-ci' }], apps: [{ id: 'hello' }] },
        ]);
        await setSetting('listener.publicUrl', 'http://127.0.0.1:1/');
        await command('setToken', { ...account, token: 'a-token' });
      },
    },
  };

  before(async () => {
    await command('reset', { confirmed: true });
    const address = await service.start();
    service.change = (answer) => ({ ...answer, status: 401, body: '{"message":"Unauthorized"}' });
    for (const id of ['baseUrl', 'proxyUrl'] as const) await setSetting(id, address[id]);
    await vscode.workspace.fs.writeFile(file, Buffer.from('{ "gpuCount": '));
    // Those that other tests have left.
    const handlers = await vscode.workspace.findFiles(`**/*.{${handlerSuffixes.join(',')}}`);
    for (const left of [...(await listFixtures()), ...handlers]) await vscode.workspace.fs.delete(left);
    process.env['PATH'] = '';
    walker.watch();
  });
  after(async () => {
    walker.leave();
    process.env['PATH'] = path;
    for (const id of ['projects', 'baseUrl', 'proxyUrl', 'listener.publicUrl'])
      await setSetting(id, undefined);
    await command('reset', { confirmed: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(file, '../.runhook/payloads'), { recursive: true });
    await service.stop();
  });

  const found: Rows = {};
  for (const [state, { context, enter }] of Object.entries(states)) {
    it(`ends in no rejection where ${state}`, async () => {
      const inFront = {
        editorLangId: 'json',
        resourceFilename: 'walk.runhook.json',
        workspaceFolderCount: 1,
      };
      await command('clearDeliveries');
      for (const id of shown({ ...context, ...inFront })) {
        await enter();
        await command('stopListener');
        await showFile();
        (found[id] ??= {})[state] = await walker.walk(id);
      }
      const ends = Object.entries(found).map(([id, row]) => [id, row[state] ?? []] as const);
      assert.deepEqual(
        ends.filter(([, seen]) => seen.some((one) => /^(rejects|MODAL|shows an error)/.test(one))),
        [],
      );
      const mute = ends.filter(([, seen]) =>
        seen.some((one) => one.startsWith('says') && !one.endsWith(']')),
      );
      assert.deepEqual(mute, []);
    });
  }

  it('comes to what is written down', () => {
    const written = inExtension('test/fixtures/paletteWalk.json') as Rows;
    assert.deepEqual(found, written);
  });

  describe('that leaves a question', () => {
    /** What came of it: nothing is said once a question was left. */
    const loud = new Map<string, string[]>();
    let leftCount = 0;
    async function leave(id: string, given: readonly unknown[], left: number): Promise<void> {
      const seen = await walker.walk(id, given, left);
      const from = seen.findIndex((one) => one.startsWith('leaves'));
      if (from < 0) return;
      leftCount += 1;
      const said = seen.slice(from).filter((one) => /^(says|rejects|shows an error|warns)/.test(one));
      if (said.length > 0) loud.set(`${id} ${JSON.stringify(given)} ${left}`, seen);
    }
    /** A run with its delivery, so that there is something to ask about. */
    async function enter(): Promise<void> {
      await command('startSandbox', {});
      if ((await deliveries()).length > 0) return;
      await run();
      await eventually(async () => ((await deliveries()).length > 0 ? true : undefined));
    }
    const run = async () => {
      const call = { projectId: 'p-sandbox', appName: 'echo', body: {}, webhook: true };
      return command<{ id: string }>('runApp', call);
    };

    before(async () => {
      await states['nothing set up']?.enter();
      for (const id of ['projects', 'baseUrl', 'proxyUrl', 'listener.publicUrl'])
        await setSetting(id, undefined);
      service.change = (answer) => answer;
    });

    beforeEach(() => {
      leftCount = 0;
    });

    it('has "…" in its title, and no other has', async () => {
      await enter();
      const { id: ranId } = await run();
      const kept = { id: 'p-kept', serviceAccounts: [{ id: 'sa-kept' }], apps: [{ id: 'kept' }] };
      await setSetting('projects', [kept]);
      const handler = vscode.Uri.joinPath(file, '../handler.js');
      await vscode.workspace.fs.writeFile(handler, Buffer.from(''));
      const [delivery] = await deliveries();
      await command('saveDeliveryAsFixture', { id: delivery!.id });
      /** What the row or the document that a command is called from says of itself. */
      const rowOf = (places: string): Record<string, string | undefined> => {
        if (/deliver/.test(places)) return { id: delivery!.id };
        const id = /\^run|answer/.test(places) ? { id: ranId } : {};
        return / kept/.test(places)
          ? { projectId: 'p-kept', serviceAccountId: 'sa-kept', appId: 'kept', ...id }
          : { ...account, appId: 'echo', appName: 'echo', ...id };
      };
      // They ask for what is not set up yet, or for a second row where none is selected.
      const asksOnce = new Set<CommandId>([
        commandIds.createFixtures,
        commandIds.debugDelivery,
        commandIds.compareDeliveries,
      ]);
      const wrong: string[] = [];
      for (const { id, title, menus: places = [], palette, argument } of allCommands) {
        if (title === undefined || (palette === false && places.length === 0) || asksOnce.has(id)) continue;
        await enter();
        if (/draft/.test(JSON.stringify(places))) await command('editDelivery', { id: delivery!.id });
        else await showFile();
        const named = Object.entries(rowOf(JSON.stringify(places)));
        const given = named.filter(([name]) => argument !== undefined && name in argument.entries);
        const seen = await walker.walk(
          id,
          given.length === 0 ? [] : [{ argument: Object.fromEntries(given) }],
          0,
        );
        // Who confirms adds nothing.
        const asks = walker.kinds.length > 0 && walker.kinds[0] !== 'confirm';
        if (asks !== title.endsWith('…')) wrong.push(`${title} ${seen.join()}`);
      }
      await setSetting('projects', undefined);
      for (const made of [handler, ...(await listFixtures())]) await vscode.workspace.fs.delete(made);
      assert.deepEqual(wrong, []);
    });

    for (const [which, left] of [
      ['first', 0],
      ['second', 1],
    ] as const) {
      it(`of a command, its ${which}, in silence`, async () => {
        for (const { id } of allCommands.filter((one) => !isForCallers(one))) {
          await enter();
          await showFile();
          await leave(id, [], left);
        }
        assert.deepEqual([...loud], []);
        assert.ok(leftCount > 0, 'no question was left');
      });

      it(`of a link in a document, its ${which}, in silence`, async () => {
        await enter();
        const { id } = await run();
        const [delivery] = await deliveries();
        const answer = await eventually(
          () =>
            vscode.window.visibleTextEditors.find(
              ({ document: { uri } }) => uri.scheme === schemes.answer && uri.query === id,
            )?.document.uri,
        );
        await command('openDelivery', { id: delivery!.id });
        const shownDelivery = vscode.window.activeTextEditor!.document.uri;
        const payload = vscode.Uri.joinPath(file, '../walk.payload.json');
        await vscode.workspace.fs.writeFile(payload, Buffer.from('{}'));
        for (const document of [answer, shownDelivery, payload, file]) {
          await show(document);
          for (const { command: linked, arguments: given = [] } of await codeLenses(document)) {
            await show(document);
            await leave(linked, given as unknown[], left);
          }
        }
        await vscode.workspace.fs.delete(payload);
        assert.deepEqual([...loud], []);
        assert.ok(left > 0 || leftCount > 0, 'no question was left');
      });
    }
  });

  it('has no command reject that a person can call', async () => {
    await states['nothing set up']?.enter();
    for (const { id } of allCommands.filter((one) => !isForCallers(one))) {
      const seen = await walker.walk(id);
      assert.deepEqual([id, seen.filter((one) => one.startsWith('rejects'))], [id, []]);
    }
    // The walker took the first answer that was offered for the next delivery.
    await command('setNextResponses', { response: 404, times: 0 });
  });
});
