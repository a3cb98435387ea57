import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { orUndefined } from '../../../src/editor/kit/files.ts';
import { mostShared } from '../../../src/service/projects/listedProjects.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { cpuUsageMs } from '../../support/time/cpuTime.ts';
import { TreeRig } from './treeRig.ts';

const count = 10_000;

/** The processor time of one turn of the extension host, at most; it took minutes before. */
const mostMs = 1500;

/** The longest turn of the extension host while the work goes on, in processor time. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const over = () => {
    state.isOver = true;
  };
  void work.then(over, over);
  let longest = 0;
  while (!state.isOver) {
    const before = process.threadCpuUsage();
    await turn();
    longest = Math.max(longest, cpuUsageMs(process.threadCpuUsage(before)));
  }
  await work;
  return longest;
}

describe('a repository whose settings hold very long lists', () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const file = vscode.Uri.joinPath(folder.uri, '.vscode/settings.json');
  const ids = Array.from({ length: count }, (_, at) => `p-${at}`);
  const many = ids.map((id) => ({ id }));
  const projects = ids.map((id) => ({
    id,
    baseUrl: 'http://api.example',
    serviceAccounts: [{ id: 'ci' }],
    apps: [{ id }, { id: 'echo' }],
  }));
  const routes = Object.fromEntries(ids.map((id) => [id, 'http://127.0.0.1:1']));
  /** The file as it was; undefined where there was none. */
  let written: string | undefined;

  before(async () => {
    written = await textOf(file);
    await vscode.commands.executeCommand('runhook.projects.focus');
  });
  after(() => (written === undefined ? vscode.workspace.fs.delete(file) : write(written)));

  const write = async (text: string) => vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));

  /** Writes the file: the API of the editor would take minutes for such lists. */
  const set = async (id: string, value: unknown) =>
    write(JSON.stringify({ ...(JSON.parse(written ?? '{}') as object), [`runhook.${id}`]: value }));

  /** Whether the extension knows an account by now. */
  const isKnown = async (projectId: string, serviceAccountId: string) =>
    vscode.commands.executeCommand('runhook.useServiceAccount', { projectId, serviceAccountId }).then(
      () => true,
      () => undefined,
    );

  const { projects: most, serviceAccounts } = mostShared;
  for (const [what, setting, value, last] of [
    ['projects', 'projects', projects, [`p-${most - 1}`, 'ci']],
    [
      'accounts and apps',
      'projects',
      [{ id: 'w', serviceAccounts: many, apps: many }],
      ['w', `p-${serviceAccounts - 1}`],
    ],
    ['routes', 'listener.routes', routes],
  ] satisfies [string, string, unknown, [string, string]?][]) {
    it(`leaves the extension host to others: ${count} ${what}`, async () => {
      const work = async () => {
        const changed = new Promise((resolve) => {
          const once = vscode.workspace.onDidChangeConfiguration(() => {
            once.dispose();
            resolve(undefined);
          });
        });
        await set(setting, value);
        await changed;
        if (last !== undefined) await eventually(async () => isKnown(...last));
        await vscode.commands.executeCommand('runhook.refreshProjects');
      };
      const longest = await longestTurn(work());
      if (setting === 'projects') assert.ok((await firstRows()).includes('entries left out'));
      assert.ok(longest < mostMs, `${longest} ms`);
    });
  }
});

/** The labels of the rows of the Projects view. */
async function firstRows(): Promise<string> {
  const rig = new TreeRig();
  try {
    return (await rig.below()).map(({ item }) => item.label as string).join('\n');
  } finally {
    rig.dispose();
  }
}

async function textOf(file: vscode.Uri): Promise<string | undefined> {
  const bytes = await orUndefined(vscode.workspace.fs.readFile(file));
  return bytes && new TextDecoder().decode(bytes);
}
