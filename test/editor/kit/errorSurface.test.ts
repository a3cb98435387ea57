import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ErrorSurface, verbsOf } from '../../../src/editor/kit/errorSurface.ts';
import type { Log } from '../../../src/editor/kit/log.ts';
import { openSettings } from '../../../src/editor/kit/openSettings.ts';
import { ScriptedPrompts } from '../../../src/editor/kit/scriptedPrompts.ts';
import { type Remedy, UserError } from '../../../src/shared/text/userError.ts';
import {
  answerPrompts,
  command,
  deliveries,
  eventually,
  setSetting,
  shownMessages,
  withSettings,
} from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { fakeTunnelProgram } from '../../support/tunnels/fakeTunnelProgram.ts';

const kept = { kept: true };

describe('the verbs of a message', () => {
  it('open settings on the page where the editor lists them: those of the machine have one of their own', () => {
    // These tests run in a remote window.
    assert.ok(vscode.env.remoteName);
    assert.deepEqual(openSettings({ kind: 'openSettings', ids: ['relay.url'] }), {
      command: 'workbench.action.openRemoteSettings',
      arguments: [{ query: '@id:runhook.relay.url' }],
    });
    assert.deepEqual(openSettings({ kind: 'openEditorSettings', ids: ['http.proxy'] }), {
      command: 'workbench.action.openSettings',
      arguments: ['@id:http.proxy'],
    });
  });

  describe('where the service cannot reach this machine', () => {
    const project = { id: 'p-far', serviceAccounts: [{ id: 'sa' }], apps: [{ id: 'far' }] };
    const path = process.env['PATH'];
    let service: Receiver;
    /** Where each call had its webhook sent. */
    const endpoints = () =>
      service.received.map((call) => new URL(call.path, 'http://x').searchParams.get('webhookEndpoint'));
    /** *Run App…* with its webhook, and a verb in answer to the message that comes of it. */
    async function run(verb: string, ...answers: unknown[]): Promise<(string | null)[]> {
      await answerPrompts(kept, kept, 'Run with Webhook', { verb }, ...answers);
      assert.equal(await command('runApp'), undefined);
      await eventually(() => (service.received.length > 0 ? true : undefined));
      return endpoints();
    }

    before(async () => {
      await command('stopSandbox');
      service = await Receiver.start();
      // This machine by a name that does not say so.
      const { port } = new URL(service.url);
      for (const id of ['baseUrl', 'proxyUrl']) await setSetting(id, `http://0.0.0.0:${port}`);
      await setSetting('projects', [project]);
      await command('setToken', { projectId: project.id, serviceAccountId: 'sa', token: 'a-token' });
      await command('openPayload', { projectId: project.id, appName: 'far', name: 'mine' });
    });
    beforeEach(async () => {
      service.received.splice(0);
      await shownMessages();
    });
    afterEach(async () => {
      await command('closeTunnel');
      await command('stopListener');
      await setSetting('listener.publicUrl', undefined);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      assert.deepEqual(await answerPrompts(), [], 'nothing was asked anew');
    });
    after(async () => {
      process.env['PATH'] = path;
      for (const id of ['baseUrl', 'proxyUrl', 'projects']) await setSetting(id, undefined);
      await service.close();
    });

    it('are named in the message, and the run goes on without the webhook', async () => {
      assert.deepEqual(await run('More…', 'Run without Webhook'), [null]);
      const [message] = await shownMessages();
      assert.equal(message?.message, 'The service cannot reach this machine.');
      assert.deepEqual(message.verbs, ['Deliver Here', 'Open Tunnel', 'More…']);
    });

    it('make the delivery here, of what the run without the webhook returned', async () => {
      assert.deepEqual(await run('Deliver Here'), [null]);
      assert.ok(await eventually(async () => (await deliveries()).find(({ madeHere }) => madeHere)));
    });

    it('take an address, keep it in the settings of the user, and the run goes on with it', async () => {
      const [endpoint] = await run('More…', 'Set Public Address…', 'https://me.example/hook');
      assert.match(endpoint ?? '', /^https:\/\/me\.example\/hook/);
    });

    it('open a tunnel, and the run goes on through it', async () => {
      const fixtures = join(
        vscode.extensions.getExtension('runhook.runhook')!.extensionPath,
        'test/fixtures/tunnels',
      );
      const standIn = fakeTunnelProgram(fixtures, 'ngrok', 'opens');
      process.env['PATH'] = standIn.folder;
      const [endpoint] = await run('Open Tunnel', true);
      assert.match(endpoint ?? '', /^http:\/\/127\.0\.0\.1:\d+\//);
      await command('closeTunnel');
      standIn.remove();
    });

    it('go on with the run where the tunnel opens by a verb of the message that it did not', async () => {
      process.env['PATH'] = '';
      const [endpoint] = await run('Open Tunnel', { verb: 'Set Public Address…' }, 'https://me.example/hook');
      assert.match(endpoint ?? '', /^https:\/\/me\.example\/hook/);
    });

    it('are for people: who calls with an argument gets the error, and no message', async () => {
      const call = { projectId: project.id, appName: 'far', webhook: true };
      await assert.rejects(
        command('runApp', call),
        /^Error: The service cannot reach|The service cannot reach/,
      );
      assert.deepEqual(await shownMessages(), []);
    });
  });

  it('take any other port where another program has that of the settings', async () => {
    await command('stopListener');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await setSetting('listener.port', port);
    try {
      await shownMessages();
      await answerPrompts({ verb: 'Use Another Port' });
      assert.equal(await command('startListener'), undefined);
      const listening = await eventually(async () => command<{ port: number } | undefined>('startListener'));
      assert.notEqual(listening.port, port);
      assert.deepEqual((await shownMessages())[0]?.verbs, ['Use Another Port', 'Open Settings']);
    } finally {
      await answerPrompts();
      await setSetting('listener.port', undefined);
      await command('stopListener');
      other.close();
    }
  });

  describe('one by one', () => {
    let shown: number;
    const log = { error: () => undefined, show: () => (shown += 1) } as unknown as Log;
    const prompts = new ScriptedPrompts();
    const surface = new ErrorSurface({ prompts, log, done: () => Promise.resolve() });
    const never = () => Promise.reject(new Error('Nothing was mended.'));
    beforeEach(() => {
      shown = 0;
    });

    it('show the log of what nobody expected, which names no more than what failed', async () => {
      prompts.script([{ verb: 'Show Log' }]);
      await surface.show('Reading it', new TypeError('x is not a function'), never);
      assert.equal(shown, 1);
      assert.deepEqual(prompts.told(), [
        { message: 'Reading it failed. See the log of Runhook for the reason.', verbs: ['Show Log'] },
      ]);
    });

    it('do not go on where what had to be done first was not', async () => {
      prompts.script([{ verb: 'Add Project…' }]);
      await surface.show('It', new UserError('No project.', { remedies: [{ kind: 'addProject' }] }), never);
      assert.equal(prompts.told().length, 1);
    });

    it('show what comes of them where that fails too', async () => {
      prompts.script([{ verb: 'Try Again' }]);
      const again = () => Promise.reject(new UserError('Still not.'));
      await surface.show('It', new UserError('Not yet.', { remedies: [{ kind: 'tryAgain' }] }), again);
      assert.deepEqual(
        prompts.told().map(({ message }) => message),
        ['Not yet.', 'Still not.'],
      );
    });

    it('are three at most, the last of which asks for the others', async () => {
      const remedies = ['tryAgain', 'addProject', 'startSandbox', 'addApp', 'showLog'].map(
        (kind) => ({ kind }) as Remedy,
      );
      await surface.show('It', new UserError('No.', { remedies }), never);
      assert.deepEqual(prompts.told()[0]?.verbs, ['Try Again', 'Add Project…', 'More…']);
    });

    it('offer the page of keys only where somebody has said where it is', async () => {
      const titles = () => verbsOf([{ kind: 'openApiKeysPage' }]).map(({ title }) => title);
      assert.deepEqual(titles(), []);
      await withSettings({ dashboardUrl: 'https://dashboard.example/keys' }, () => {
        assert.deepEqual(titles(), ['Open API Keys Page']);
      });
    });

    it('lead to commands that the editor has', async () => {
      const remedies: Remedy[] = [
        { kind: 'openSettings', ids: ['baseUrl'] },
        { kind: 'openEditorSettings', ids: ['git.enabled'] },
        { kind: 'openFolder' },
        { kind: 'pickFile' },
        { kind: 'manageTrust' },
        { kind: 'reloadWindow' },
        { kind: 'openFile', uri: 'untitled:x' },
      ];
      const called: string[] = [];
      const { executeCommand } = vscode.commands;
      Object.assign(vscode.commands, { executeCommand: (id: string) => Promise.resolve(called.push(id)) });
      try {
        for (const verb of verbsOf(remedies)) await verb.run({ prompts, log, done: never }, never);
      } finally {
        Object.assign(vscode.commands, { executeCommand });
      }
      const known = new Set(await vscode.commands.getCommands(false));
      assert.equal(called.length, remedies.length);
      assert.deepEqual(
        called.filter((id) => !known.has(id)),
        [],
      );
    });

    it('type what installs a program into a terminal, and run nothing', async () => {
      const typed: unknown[][] = [];
      const { createTerminal } = vscode.window;
      const terminal = { show: () => undefined, sendText: (...given: unknown[]) => typed.push(given) };
      Object.assign(vscode.window, { createTerminal: () => terminal });
      try {
        const [verb] = verbsOf([{ kind: 'install', program: 'cloudflared' }]);
        assert.equal(verb?.title, 'Install cloudflared');
        await verb.run({ prompts, log, done: never }, never);
      } finally {
        Object.assign(vscode.window, { createTerminal });
      }
      const [[line, runs] = []] = typed;
      assert.match(String(line), /cloudflared/);
      assert.equal(runs, false);
    });
  });
});
