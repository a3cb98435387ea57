import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../../src/api.ts';
import { answerPrompts, command, deliveries, eventually } from '../../support/editor/inEditor.ts';

/** Signs a delivery with the secret that it was given, as the service does, and ends with 0 where it got its 200. */
const sends = `
  const { createHmac } = require('node:crypto');
  const { URL: to, SECRET: secret } = process.env;
  const time = String(Math.floor(Date.now() / 1000));
  const signature = 'v1,' + createHmac('sha256', secret).update('from-a-task.' + time + '.{}').digest('hex');
  const headers = {
    'X-Request-Id': 'from-a-task',
    'X-Service-Webhook-Timestamp': time,
    'X-Service-Webhook-Signature': signature,
  };
  fetch(to, { method: 'POST', headers, body: '{}' }).then(({ status }) => process.exit(status === 200 ? 0 : 1));
`;
/** Ends with 0 where the secret is that of the project. */
const looks = `process.exit(process.env.SECRET === 'of Acme' ? 0 : 1)`;

const acme = { projectId: 'p-configurations' };
const file = { file: '/nowhere/hello.runhook.json' };
const task = (label: string, type: 'process' | 'shell', script: string, env: Record<string, string>) => ({
  label,
  type,
  command: process.execPath,
  args: [script],
  options: { cwd: '${workspaceFolder}/.vscode', env: { ...env, ELECTRON_RUN_AS_NODE: '1' } },
  presentation: { reveal: 'never' },
});
const both = { URL: '${command:runhook.listenerUrl}', SECRET: '${command:runhook.webhookSecret}' };
const inputs = [
  { id: 'url', type: 'command', command: 'runhook.listenerUrl' },
  { id: 'secret', type: 'command', command: 'runhook.webhookSecret', args: {} },
  { id: 'ofAcme', type: 'command', command: 'runhook.webhookSecret', args: acme },
  { id: 'apply', type: 'command', command: 'runhook.applySettingsFile', args: file },
  { id: 'start', type: 'command', command: 'runhook.startListener' },
];
const tasks = {
  version: '2.0.0',
  inputs,
  tasks: [
    task('variables', 'process', 'sends.cjs', both),
    task('variables in a shell', 'shell', 'sends.cjs', both),
    task('inputs', 'process', 'sends.cjs', { URL: '${input:url}', SECRET: '${input:secret}' }),
    task('of a project', 'process', 'looks.cjs', { SECRET: '${input:ofAcme}' }),
  ],
};

const listenerState = () =>
  vscode.extensions.getExtension<RunhookApi>('runhook.runhook')?.exports.listenerState.kind;

describe('tasks.json', () => {
  const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
  const files = { 'tasks.json': JSON.stringify(tasks), 'sends.cjs': sends, 'looks.cjs': looks };
  const uri = (name: string) => vscode.Uri.joinPath(folder(), '.vscode', name);

  /** Runs a task of tasks.json. @returns its exit code */
  const run = async (label: string): Promise<number | undefined> => {
    const found = await eventually(async () =>
      (await vscode.tasks.fetchTasks()).find(({ name }) => name === label),
    );
    const ended = Promise.withResolvers<number | undefined>();
    const listening = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name === label) ended.resolve(exitCode);
    });
    try {
      await vscode.tasks.executeTask(found);
      return await ended.promise;
    } finally {
      listening.dispose();
    }
  };

  before(async () => {
    await command('reset', { confirmed: true });
    await command('addProject', { id: acme.projectId });
    for (const [name, text] of Object.entries(files)) {
      await vscode.workspace.fs.writeFile(uri(name), Buffer.from(text));
    }
  });
  after(async () => {
    for (const name of Object.keys(files)) await vscode.workspace.fs.delete(uri(name));
    await command('removeProject', acme);
    await command('stopListener');
  });

  for (const label of ['variables', 'variables in a shell', 'inputs']) {
    it(`has the address and the secret of the listener, which starts for it: ${label}`, async () => {
      await command('stopListener');
      assert.equal(await run(label), 0);
      const [delivery] = await deliveries();
      assert.equal(delivery?.verdict, 'verified');
    });
  }

  it('has the secret of a project by an input', async () => {
    await command('setWebhookSecret', { ...acme, secret: 'of Acme' });
    assert.equal(await run('of a project'), 0);
  });

  it('has nothing done as an input by a command that gives no text', async () => {
    const call = async (name: string, ...given: unknown[]) =>
      vscode.commands.executeCommand(`runhook.${name}`, ...given);
    await command('stopListener');
    await assert.rejects(
      call('applySettingsFile', file),
      /applySettingsFile returns no text .* Nothing was done\. Use a task of the type "runhook" instead/,
    );
    await assert.rejects(call('startListener', undefined), /Use \$\{command:runhook\.listenerUrl\} instead/);
    // What the palette does is another thing.
    await answerPrompts();
    assert.match(JSON.stringify(await call('startListener')), /"port":\d+/);
  });

  it('and launch.json have nothing done in place of a variable', async () => {
    await command('stopListener');
    const given = (id: string) => [
      { type: 'node', request: 'launch', name: 'App', ...acme, env: { A: `\${command:runhook.${id}}` } },
      [`\${command:runhook.${id}}`],
    ];
    for (const id of ['startListener', 'showOutput', 'runApp']) {
      for (const one of given(id)) await assert.rejects(command(id, one), /Nothing was done/);
    }
    assert.equal(listenerState(), 'stopped');
    // What is filled in is no argument.
    for (const one of given('webhookSecret')) assert.notEqual(await command('webhookSecret', one), 'of Acme');
  });
});
