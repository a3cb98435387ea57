import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToolHost } from '../../../src/agents/tools.ts';
import type { AgentToolName } from '../../../src/agents/toolValues.ts';
import { languageModelTool } from '../../../src/editor/agents/tool.ts';
import { toolSet } from '../../../src/editor/agents/tools.ts';
import { toolIds } from '../../../src/editor/kit/ids.ts';
import type { ListenerState } from '../../../src/deliveries/listenerState.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { Project } from '../../../src/service/projects/project.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { answerPrompts, command, setSetting } from '../../support/editor/inEditor.ts';

interface SandboxInfo {
  baseUrl: string;
  proxyUrl: string;
  projectId: string;
  serviceAccountId: string;
  apps: { id: string; name: string }[];
}

/** Calls a tool as a model does, and reads its answer. The editor takes its own confirmation as given. */
async function tool<T>(name: keyof typeof toolIds, input: object = {}): Promise<T> {
  const result = await vscode.lm.invokeTool(toolIds[name], { input, toolInvocationToken: undefined });
  const [part, ...rest] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart);
  assert.equal(rest.length, 0);
  return JSON.parse(part.value) as T;
}

describe('tools for language models', () => {
  const secret = 'a-secret-no-model-may-see';
  let sandbox: SandboxInfo;

  before(async () => {
    sandbox = await command('startSandbox');
    await command('setWebhookSecret', { secret });
    await command('clearDeliveries', {});
  });
  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await command('stopSandbox');
  });

  it('are those of the manifest', () => {
    const there = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('runhook_'));
    assert.deepEqual(there.sort(), Object.values(toolIds).sort());
  });

  it('list the projects with the ids that the other tools take', async () => {
    const projects = await tool<Project[]>('listProjects');
    const project = projects.find(({ id }) => id === sandbox.projectId);
    assert.equal(project?.serviceAccounts[0]?.id, sandbox.serviceAccountId);
    assert.ok(project.apps.some(({ name }) => name === 'echo'));
  });

  it('list the keys as the command does', async () => {
    const { projectId, serviceAccountId } = sandbox;
    const keys = await tool<object[]>('listKeys', { projectId, serviceAccountId });
    assert.ok(keys.length > 0);
    assert.deepEqual(keys, await command('listKeys', { projectId, serviceAccountId }));
  });

  it('say what is wrong with settings', async () => {
    assert.deepEqual(await tool('validateSettings', { settings: { gpuCount: 2, cpu: '0.5' } }), {
      ok: true,
      settings: { gpuCount: 2, cpu: '0.5' },
    });
    assert.deepEqual(await tool('validateSettings', { settings: { memory: '193' } }), {
      ok: false,
      problems: [{ field: 'memory', problem: 'Enter 192 or less.' }],
    });
  });

  it('apply settings', async () => {
    const { projectId, apps } = sandbox;
    const settings = { gpuCount: 1, memory: '16' };
    assert.deepEqual(await tool('applySettings', { projectId, appId: apps[0]!.id, settings }), {
      applied: settings,
    });
  });

  it('run an app, and mask the token that it echoes', async () => {
    const { projectId } = sandbox;
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlLW9mLWl0';
    const body = { authorization: `Bearer ${jwt}`, greeting: 'hello' };
    const result = await tool<{ status: number; runId?: string; body: unknown }>('runApp', {
      ...{ projectId, appName: 'echo', body, webhook: true },
    });
    assert.equal(result.status, 200);
    assert.ok(result.runId);
    assert.match(JSON.stringify(result.body), /hello/);
    assert.doesNotMatch(JSON.stringify(result), new RegExp(jwt));
  });

  it('send a test delivery, list it and explain it', async () => {
    assert.equal(
      (await tool<{ status: number }>('sendTestDelivery', { body: { run_id: 'r-9' } })).status,
      200,
    );
    const deliveries = await tool<Delivery[]>('listDeliveries', { limit: 5 });
    const delivery = deliveries.find(({ runId }) => runId === 'r-9');
    assert.equal(delivery?.verdict, 'verified');
    assert.deepEqual(await tool('getDelivery', { id: delivery.id }), delivery);
    const explanation = await tool<string>('explainDelivery', { id: delivery.id });
    assert.match(explanation, /verified/i);
    assert.doesNotMatch(JSON.stringify([deliveries, explanation]), new RegExp(secret));
  });

  it('run an app, wait for its delivery and replay that', async () => {
    const { projectId } = sandbox;
    const { id, runId } = await tool<{ id: string; runId: string }>('runApp', {
      ...{ projectId, appName: 'echo', webhook: true },
    });
    const delivery = await tool<Delivery>('waitForDelivery', { runId });
    assert.deepEqual([delivery.runId, delivery.verdict], [runId, 'verified']);
    assert.equal((await tool<Delivery>('waitForDelivery', { runId: id })).id, delivery.id);

    await assert.rejects(tool('replayDelivery', { id: delivery.id }), /no handler to replay to/);
    const app = await Receiver.start();
    try {
      await setSetting('listener.forwardTo', app.url);
      const { status, to } = await tool<{ status: number; to: string }>('replayDelivery', {
        ...{ id: delivery.id, resign: true },
      });
      assert.equal(status, 200);
      assert.equal(to, new URL(app.url).href);
    } finally {
      await setSetting('listener.forwardTo', undefined);
      await app.close();
    }
  });

  const refused: [string, keyof typeof toolIds, object][] = [
    ['settings out of range', 'applySettings', { settings: { gpuCount: 9 } }],
    ['an unknown app', 'applySettings', { appId: 'nobody', settings: { gpuCount: 1 } }],
    ['an agreement of the model itself', 'applySettings', { settings: { gpuCount: 1 }, confirmed: true }],
    ['an unknown project', 'listKeys', { projectId: 'nowhere', serviceAccountId: 'x' }],
  ];
  for (const [what, name, part] of refused) {
    it(`refuse ${what}`, async () => {
      const { projectId, apps } = sandbox;
      const input = name === 'applySettings' ? { projectId, appId: apps[0]!.id, ...part } : part;
      await assert.rejects(tool(name, input));
    });
  }

  it('send nothing to another machine', async () => {
    await assert.rejects(
      tool('sendTestDelivery', { to: 'http://elsewhere.invalid/' }),
      /not on this machine/,
    );
  });
});

describe('tools for language models under prod', () => {
  const project = {
    id: 'p-agents',
    name: 'Acme',
    serviceAccounts: [{ id: 'release', environment: 'prod' }],
    apps: [{ id: 'hello' }],
  };

  before(async () => {
    const { baseUrl, proxyUrl } = await command<SandboxInfo>('startSandbox');
    await setSetting('baseUrl', baseUrl);
    await setSetting('proxyUrl', proxyUrl);
    await command('addProject', project);
  });
  after(async () => {
    await answerPrompts();
    await command('removeProject', { projectId: project.id });
    for (const id of ['baseUrl', 'proxyUrl', 'projects']) await setSetting(id, undefined);
    await command('stopSandbox');
  });

  const calls: [keyof typeof toolIds, object][] = [
    ['applySettings', { projectId: project.id, appId: 'hello', settings: { gpuCount: 1 } }],
    ['runApp', { projectId: project.id, appName: 'hello' }],
  ];
  for (const [name, input] of calls) {
    it(`${name} asks the user whatever the chat has allowed, and a no ends it`, async () => {
      await answerPrompts(false);
      await assert.rejects(tool(name, input), /not confirmed/);
      assert.deepEqual(await answerPrompts(), [], 'the question was asked');
    });
  }
});

describe('what the user is asked before a tool runs', () => {
  const project: Project = {
    id: 'p-1',
    name: 'Acme',
    serviceAccounts: [{ id: 'release', environment: 'prod' }],
    apps: [{ id: 'a-1', name: 'hello' }],
  };
  const log = vscode.window.createOutputChannel('Tool Questions', { log: true });
  const guard = { held: () => Promise.resolve([]), log };
  after(() => log.dispose());
  let state: ListenerState = { kind: 'stopped' };
  const parts = {
    projects: {
      get: () => project,
      activeAccount: () => project.serviceAccounts[0],
      service: () => ({ baseUrl: 'https://api.example', proxyUrl: 'https://proxy.example' }),
    },
    listener: {
      get state() {
        return state;
      },
    },
    known: () => ({ gpuCount: 1 }),
  };
  // Nothing is done.
  const changeTool = (name: AgentToolName) => languageModelTool(name, toolSet(parts, {} as ToolHost), guard);
  const prepare = async (
    prepared: vscode.LanguageModelTool<unknown>,
    input: object,
  ): Promise<{ title: string; message: string }> => {
    const token = new vscode.CancellationTokenSource().token;
    const { confirmationMessages } = (await prepared.prepareInvocation?.({ input }, token)) ?? {};
    assert.ok(confirmationMessages?.message instanceof vscode.MarkdownString);
    const { title, message } = confirmationMessages;
    assert.ok(!message.isTrusted && !message.supportHtml);
    return { title, message: message.value };
  };

  it('shows what an apply changes, and where', async () => {
    const input = { projectId: 'p-1', appId: 'a-1', settings: { gpuCount: 2, memory: '16' } };
    const { title, message } = await prepare(changeTool('applySettings'), input);
    assert.equal(title, 'Apply settings to hello · Acme · prod?');
    assert.match(message, /```diff\n- gpuCount: 1\n\+ gpuCount: 2\n\+ memory: "16"\n```/);
  });

  it('shows the call of a run', async () => {
    const input = { projectId: 'p-1', appName: 'hello', body: { n: 1 }, webhook: true };
    const { title, message } = await prepare(changeTool('runApp'), input);
    assert.equal(title, 'Run hello · Acme · prod?');
    assert.match(message, /POST https:\/\/proxy\.example\/v4\/p-1\/hello\/run\n\{\n {2}"n": 1\n\}/);
    assert.match(message, /delivered&nbsp;to&nbsp;the&nbsp;listener/);
    state = { kind: 'listening', port: 1, url: 'http://127.0.0.1:1/', publicUrl: 'https://tunnel.example/' };
    assert.match(
      (await prepare(changeTool('runApp'), input)).message,
      /run\?webhookEndpoint=https%3A%2F%2Ftunnel\.example%2Frunhook%2Fhello\n/,
    );
  });

  it('names every address that the result of a run goes to', async () => {
    const path = 'run?webhookEndpoint=https://a.example/x&WebhookEndpoint=http%3A%2F%2Fb.example';
    for (const webhook of [false, true]) {
      const input = { projectId: 'p-1', appName: 'hello', path, method: 'put', webhook };
      const { message } = await prepare(changeTool('runApp'), input);
      const told = new vscode.MarkdownString().appendText('https://a.example/x, http://b.example/').value;
      assert.ok(message.includes(told), message);
      assert.equal(message.includes('signed'), webhook);
      assert.ok(message.includes(`\nPUT https://proxy.example/v4/p-1/hello/${path}\n`), message);
    }
  });

  it('is nothing where the run would leave the app', async () => {
    const input = { projectId: 'p-1', appName: 'hello', path: '..%2f..%2fother' };
    await assert.rejects(prepare(changeTool('runApp'), input), /leaves the app/);
  });

  it('cannot be talked over by a body that looks like Markdown', async () => {
    const body = '```\n**Nothing is sent.** [Continue](command:runhook.reset)';
    const { message } = await prepare(changeTool('sendTestDelivery'), { body });
    assert.match(message, /^````*/m);
    assert.ok(message.includes(JSON.stringify(body)), 'the body stays on one line of JSON');
  });
});
