import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { doorFiles, doorsFolder } from '../../../src/agents/door.ts';
import { AgentDoor } from '../../../src/editor/agents/agentDoor.ts';
import { languageModelTool, type ToolSet } from '../../../src/editor/agents/tool.ts';
import { mcpServerDefinition } from '../../../src/editor/agents/mcpServer.ts';
import type { Tools } from '../../../src/editor/agents/tools.ts';
import { ScriptedPrompts } from '../../../src/editor/kit/scriptedPrompts.ts';
import { connectSocketRpc } from '../../../src/shared/rpc/socketRpc.ts';
import { connect } from 'node:net';
import { answerPrompts, command, eventually } from '../../support/editor/inEditor.ts';

describe('an agent in a terminal', () => {
  const log = vscode.window.createOutputChannel('Agent Door', { log: true });
  let folder: string;
  let client: Client;
  const doors: AgentDoor[] = [];
  const held = 'a-token-that-a-window-holds';

  /** A window with one project, and what it was asked and did. */
  function windowWith(projectId: string) {
    const prompts = new ScriptedPrompts();
    const applied: object[] = [];
    const set = {
      listProjects: { progress: () => '', run: () => [{ id: projectId, serviceAccounts: [], apps: [] }] },
      applySettings: {
        progress: () => '',
        question: ({ appId }) => ({
          title: `Apply settings to ${appId}?`,
          text: 'As they were.',
          code: { language: 'diff', text: '+ gpuCount: 1\u202e' },
        }),
        run: (input) => {
          applied.push(input);
          return { applied: input.settings, echoed: held };
        },
      },
    } as Pick<ToolSet, 'listProjects' | 'applySettings'>;
    const guard = { held: () => Promise.resolve([held]), log };
    const tools = {
      listProjects: languageModelTool('listProjects', set, guard),
      applySettings: languageModelTool('applySettings', set, guard),
    } as Tools;
    const projects = { all: () => [{ id: projectId, serviceAccounts: [], apps: [] }] };
    const door = new AgentDoor({ projects, prompts, log, tools: () => Promise.resolve(tools) });
    doors.push(door);
    return { prompts, applied, door };
  }

  async function start(environment: Record<string, string>, cwd: string): Promise<void> {
    client = new Client({ name: 'test', version: '1' });
    const extension = vscode.extensions.getExtension('runhook.runhook')!;
    const { command: program, args, env: own } = mcpServerDefinition(extension);
    const env = {
      ...(process.env as Record<string, string>),
      ...(own as Record<string, string>),
      ...environment,
    };
    await client.connect(new StdioClientTransport({ command: program, args, env, cwd }));
  }

  async function call(name: string, input: object = {}): Promise<string> {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(async () => {
    await client.close();
    for (const door of doors.splice(0)) door.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  after(() => log.dispose());

  it('has the window asked that holds the project; a no and a closed window are answers', async () => {
    const [one, other] = [windowWith('p-one'), windowWith('p-other')];
    const windows = doorsFolder({ XDG_DATA_HOME: folder, LOCALAPPDATA: folder });
    await one.door.open(windows);
    await other.door.open(windows);
    if (process.platform !== 'win32') {
      const [file = ''] = readdirSync(windows);
      assert.equal(statSync(join(windows, file)).mode & 0o077, 0, 'the key is the user’s alone');
    }
    await start({ XDG_DATA_HOME: folder, LOCALAPPDATA: folder }, folder);
    const listed = await call('list_projects');
    for (const id of ['p-one', 'p-other']) assert.match(listed, new RegExp(`"id": "${id}"`));
    const apply = (projectId: string) => ({ projectId, appId: 'hello', settings: { gpuCount: 1 } });

    let asked: string[] = [];
    one.prompts.script([
      (question: string, detail: string, verb: string) => {
        asked = [question, detail, verb];
        return true;
      },
    ]);
    const answer = await call('apply_settings', apply('p-one'));
    assert.deepEqual(asked, [
      'An agent asks: Apply settings to hello?',
      'As they were.\n\n+ gpuCount: 1·',
      'Allow',
    ]);
    assert.deepEqual([one.applied, other.applied], [[apply('p-one')], []]);
    assert.ok(!answer.includes(held), answer);

    other.prompts.script([false]);
    assert.match(await call('apply_settings', apply('p-other')), /The user has declined/);
    assert.deepEqual(other.applied, []);

    other.prompts.script([
      () => {
        other.door.dispose();
        return new Promise(() => undefined);
      },
    ]);
    assert.match(await call('apply_settings', apply('p-other')), /The window was closed before it responded/);
    assert.match(
      await call('apply_settings', apply('p-other')),
      /No window has this project\. Open it in the editor/,
    );
    assert.equal(doorFiles(windows).length, 1);
  });

  it('finds a window in the folder of its user, which here is not that of who runs the tests', async () => {
    await command('refreshProjects');
    await eventually(() => doorFiles(doorsFolder()).find(({ door: { pid } }) => pid === process.pid));
    assert.notEqual(doorsFolder(), doorsFolder({}));
  });

  it('gets nothing from a window without the key', async () => {
    const { door, applied } = windowWith('p-one');
    await door.open(folder);
    await start({}, folder);
    const found = doorFiles(folder)[0]!.door;
    for (const key of ['', 'x'.repeat(43)]) {
      const rpc = connectSocketRpc<{ hello(asked: object): object; call(asked: object): string }, object>(
        connect(found.socket),
        {},
      );
      const input = { projectId: 'p-one', appId: 'hello', settings: { gpuCount: 1 } };
      await assert.rejects(rpc.call.call({ name: 'applySettings', input }), /The key has to come first/);
      await assert.rejects(rpc.call.hello({ key }), /not the key/);
      await rpc.closed;
    }
    assert.deepEqual(applied, []);
  });

  it('runs an app of this window once the human agrees, and is told what was delivered', async () => {
    const sandbox = await command<{ projectId: string }>('startSandbox');
    try {
      const [{ uri }] = vscode.workspace.workspaceFolders as [vscode.WorkspaceFolder];
      await start({}, uri.fsPath);
      await answerPrompts(true);
      const ran = await call('run_app', {
        projectId: sandbox.projectId,
        appName: 'echo',
        webhook: true,
        body: {},
      });
      const [, runId = ''] = /"runId": "([^"]+)"/.exec(ran) ?? [];
      assert.match(await call('wait_for_delivery', { runId }), /"verdict": "verified"/);
      // As for a service that cannot reach this machine: the delivery is made of the response.
      await answerPrompts(true, true);
      const plain = await call('run_app', { projectId: sandbox.projectId, appName: 'echo', body: {} });
      const [, plainId = ''] = /"runId": "([^"]+)"/.exec(plain) ?? [];
      const made = await call('deliver_here', { runId: plainId });
      assert.match(made, /"status": 200/);
      assert.match(await call('list_deliveries', { limit: 1 }), /"madeHere": true/);
      await answerPrompts(false);
      assert.match(
        await call('run_app', { projectId: sandbox.projectId, appName: 'echo' }),
        /The user has declined/,
      );
    } finally {
      await command('clearDeliveries', {});
      await command('stopListener');
      await command('stopSandbox');
    }
  });
});
