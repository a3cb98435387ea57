import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { PublicUrlCheck } from '../../../src/editor/tunnels/checkPublicUrl.ts';
import {
  answerPrompts,
  command,
  eventually,
  expectMessage,
  withSettings,
  shownMessages,
} from '../../support/editor/inEditor.ts';
import { ownProgramFolder, attachSecondWindow } from '../../support/listener/secondWindow.ts';
import { type FakeTunnelProgram, fakeTunnelProgram } from '../../support/tunnels/fakeTunnelProgram.ts';

const settings = () => vscode.workspace.getConfiguration('runhook');

describe('tunnels', () => {
  const path = process.env['PATH'] ?? '';
  let standIns: FakeTunnelProgram[];

  beforeEach(() => {
    standIns = [];
    process.env['PATH'] = '';
  });
  afterEach(async () => {
    await command('closeTunnel');
    await command('stopListener');
    process.env['PATH'] = path;
    for (const standIn of standIns) standIn.remove();
  });

  /** Puts stand-ins for the programs, and nothing else, on the PATH. */
  function onPath(...programs: ['cloudflared' | 'ngrok', string][]): void {
    const fixtures = join(
      vscode.extensions.getExtension('runhook.runhook')!.extensionPath,
      'test/fixtures/tunnels',
    );
    standIns = programs.map(([program, part]) => fakeTunnelProgram(fixtures, program, part));
    process.env['PATH'] = standIns.map(({ folder }) => folder).join(':');
  }
  const post = async (url: string): Promise<number> =>
    (await fetch(url, { method: 'POST', body: '{}' })).status;

  /** `true` once nobody does. */
  const nobodyListens = (url: string): Promise<true | undefined> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => resolve(true));
      socket.on('connect', () => {
        socket.destroy();
        resolve(undefined);
      });
    });

  it('asks before a program is started for the first time, and not again', async () => {
    onPath(['ngrok', 'opens']);
    await answerPrompts(false);
    assert.equal(await command('openTunnel'), undefined);
    assert.equal((await command<{ publicUrl?: string }>('startListener')).publicUrl, undefined);
    await answerPrompts(true);
    const { publicUrl } = await command<{ publicUrl: string }>('openTunnel');
    assert.match(publicUrl, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    await command('closeTunnel');
    await answerPrompts();
    assert.ok((await command<{ publicUrl: string }>('openTunnel')).publicUrl);
  });

  it('makes the listener public, takes only what is signed, and ends it all', async () => {
    onPath(['ngrok', 'opens']);
    await withSettings({ 'listener.acceptUnverified': true }, async () => {
      const { publicUrl } = await command<{ publicUrl: string }>('openTunnel', { confirmed: true });
      const listening = await command<{ url: string; publicUrl?: string }>('startListener');
      assert.equal(listening.publicUrl, publicUrl);
      assert.equal(await post(publicUrl), 401);
      assert.equal(await post(listening.url), 401);
      const { status } = await command<{ status: number }>('sendTestDelivery', { to: publicUrl });
      assert.equal(status, 200);

      await command('closeTunnel');
      await assert.rejects(post(publicUrl));
      const closed = await command<{ publicUrl?: string }>('startListener');
      assert.equal(closed.publicUrl, undefined);
      assert.equal(await post(listening.url), 200);
    });
  });

  it('says nothing of a failure where it is closed while it opens', async () => {
    onPath(['cloudflared', 'hangs']);
    const opening = assert.rejects(command('openTunnel', { confirmed: true }), /No tunnel was opened/);
    await eventually(() => existsSync(join(standIns[0]!.folder, 'starts')) || undefined);
    await command('closeTunnel');
    await opening;
  });

  it('says that a tunnel broke off, and where it has opened again', async () => {
    onPath(['cloudflared', 'diesOnce']);
    await command('openTunnel', { confirmed: true });
    await vscode.commands.executeCommand('runhook.showOutput');
    const output = await eventually(() =>
      vscode.workspace.textDocuments.find(({ languageId }) => languageId === 'runhook-deliveries'),
    );
    await eventually(() => /public as \S*four-word-tunnel-2/.test(output.getText()) || undefined);
    // The first address may be gone before the output shows it.
    const told = output.getText().split(/public as \S*four-word-tunnel-1\S*\n/);
    assert.match(
      told.at(-1) ?? '',
      /^✗ The tunnel broke off: cloudflared exited \(1\)\. Runhook opens it again\. .*\nRunhook listens on .*, public as .*-2/m,
    );
  });

  it('closes the tunnel when the listener stops', async () => {
    onPath(['ngrok', 'opens']);
    const { publicUrl } = await command<{ publicUrl: string }>('openTunnel', { confirmed: true });
    await command('stopListener');
    // Nobody closes it by hand.
    await eventually(() => nobodyListens(publicUrl));
    assert.equal((await command<{ publicUrl?: string }>('startListener')).publicUrl, undefined);
  });

  it('shows the tunnel that another window has opened, at the same address and without a question', async () => {
    const extension = vscode.extensions.getExtension('runhook.runhook');
    assert.ok(extension);
    const { version } = extension.packageJSON as { version: string };
    const entry = join(extension.extensionPath, 'dist/runhook.js');
    onPath(['ngrok', 'opens']);
    const [standIn] = standIns;
    assert.ok(standIn);
    await command('startListener');
    const folder = await ownProgramFolder();
    await command('stopListener');
    const { peer } = await attachSecondWindow(folder, entry, version);
    try {
      await peer.call.listen({ port: 0 });
      const asked = { program: 'ngrok', command: standIn.command } as const;
      const { publicUrl } = await peer.call.openTunnel(asked);
      await answerPrompts();
      assert.deepEqual(await command('openTunnel'), { publicUrl });
      assert.equal((await command<{ publicUrl?: string }>('startListener')).publicUrl, publicUrl);
      await peer.call.closeTunnel();
      await eventually(async () => {
        const { publicUrl: now } = await command<{ publicUrl?: string }>('startListener');
        return now === undefined ? true : undefined;
      });
    } finally {
      peer.close();
    }
  });

  it('asks which program where there are two, and remembers', async () => {
    onPath(['cloudflared', 'opens'], ['ngrok', 'opens']);
    await answerPrompts('cloudflared', true);
    const { publicUrl } = await command<{ publicUrl: string }>('openTunnel');
    assert.equal(publicUrl, 'https://four-word-tunnel-1.trycloudflare.com/');
    await command('closeTunnel');
    await answerPrompts();
    assert.match((await command<{ publicUrl: string }>('openTunnel')).publicUrl, /four-word-tunnel-2/);
  });

  it('says why a program opens none, and the next one opens', async () => {
    onPath(['cloudflared', 'rateLimited'], ['ngrok', 'opens']);
    await assert.rejects(
      command('openTunnel', { provider: 'cloudflared', confirmed: true }),
      /Cloudflare allows no more tunnels/,
    );
    assert.ok(await command('openTunnel', { provider: 'ngrok', confirmed: true }));
  });

  it('says what to do where there is no program', async () => {
    await expectMessage(command('openTunnel'), /Neither cloudflared nor ngrok was found on the PATH/);
  });

  it('tries the relay that the settings ask for, whichever program they name as well', async () => {
    const relay = { 'tunnel.provider': 'relay', 'relay.url': 'http://127.0.0.1:9/' };
    for (const program of ['/no/such/program', process.execPath]) {
      await withSettings({ ...relay, 'tunnel.command': program }, () =>
        expectMessage(command('openTunnel'), /The relay 127\.0\.0\.1:9 is not available/),
      );
    }
  });

  it('takes the address that is set by hand', async () => {
    await withSettings({ 'listener.publicUrl': 'https://me.example/hook' }, async () => {
      assert.deepEqual(await command('openTunnel'), { publicUrl: 'https://me.example/hook' });
    });
  });

  describe('in a codespace', () => {
    let folder: string;
    let calls: string;
    const variables = {
      CODESPACES: 'true',
      CODESPACE_NAME: 'octocat-literate-space',
      GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN: 'app.github.dev',
    };
    const terminalPath = (value: string | undefined): Thenable<void> =>
      vscode.workspace
        .getConfiguration('terminal.integrated.env')
        .update('linux', value && { PATH: value }, vscode.ConfigurationTarget.Global);

    /** Puts a stand-in for GitHub's own program into the terminal, which writes down how it was called. */
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'runhook-gh-'));
      calls = join(folder, 'calls');
      await writeFile(join(folder, 'gh'), `#!/bin/sh\necho "$@" >> '${calls}'\n`, { mode: 0o755 });
      await terminalPath(`${folder}:${path}`);
      Object.assign(process.env, variables);
    });
    after(async () => {
      for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name);
      for (const terminal of vscode.window.terminals) terminal.dispose();
      await terminalPath(undefined);
      await rm(folder, { recursive: true });
    });
    const called = (times: number): Promise<string[]> =>
      eventually(async () => {
        const lines = (await readFile(calls, 'utf8').catch(() => ''))
          .split('\n')
          .filter((line) => line !== '');
        return lines.length === times ? lines : undefined;
      });

    it('opens its own forwarded address by one command in a terminal, and takes it back by another', async () => {
      await withSettings({ 'listener.acceptUnverified': true }, async () => {
        await answerPrompts(true);
        const { publicUrl } = await command<{ publicUrl: string }>('openTunnel');
        const listening = await command<{ port: number; url: string; publicUrl?: string }>('startListener');
        const { port } = listening;
        assert.equal(publicUrl, `https://octocat-literate-space-${port}.app.github.dev/`);
        assert.equal(listening.publicUrl, publicUrl);
        const visibility = (state: string): string =>
          `codespace ports visibility ${port}:${state} --codespace octocat-literate-space`;
        assert.deepEqual(await called(1), [visibility('public')]);
        assert.equal(await post(listening.url), 401);
        await command('closeTunnel');
        assert.deepEqual(await called(2), [visibility('public'), visibility('private')]);
        assert.equal(await post(listening.url), 200);
      });
    });
  });

  it('checks the public URL, and names the hop that fails', async () => {
    await expectMessage(command('checkPublicUrl'), /no public URL to check/);
    onPath(['ngrok', 'opens']);
    await command('openTunnel', { confirmed: true });
    const good = await command<PublicUrlCheck>('checkPublicUrl');
    assert.deepEqual(
      good.hops.filter(({ ok }) => !ok),
      [],
    );
    assert.equal(good.ok, true);
    await shownMessages();
    await vscode.commands.executeCommand('runhook.checkPublicUrl');
    const [told] = await shownMessages();
    assert.equal(told?.message, 'The public URL reaches the listener, and nothing is changed on the way.');
    await command('closeTunnel');
    onPath(['ngrok', 'rewritesRequestId']);
    await command('openTunnel', { confirmed: true });
    const bad = await command<PublicUrlCheck>('checkPublicUrl');
    assert.equal(bad.ok, false);
    assert.deepEqual(
      bad.hops.filter(({ ok }) => !ok).map(({ hop }) => hop),
      ['requestId', 'signature'],
    );
    // No setting has the address of a tunnel.
    assert.deepEqual((await shownMessages()).at(-1)?.verbs, ['Try Again', 'Show Log']);
  });

  it('says that the listener was stopped while the public URL was checked', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const address = createServer((_, response) => asked.resolve(response)).listen(0, '127.0.0.1');
    try {
      await once(address, 'listening');
      const { port } = address.address() as AddressInfo;
      await withSettings({ 'listener.publicUrl': `http://127.0.0.1:${port}/` }, async () => {
        const told = expectMessage(
          command('checkPublicUrl'),
          /listener was stopped, so the public URL was not/,
        );
        const response = await asked.promise;
        await command('stopListener');
        response.end();
        await told;
      });
    } finally {
      address.close();
    }
  });

  it('lets no workspace name a tunnel program or make the listener public', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    onPath(['ngrok', 'opens']);
    const [standIn] = standIns;
    process.env['PATH'] = '';
    const settingsFolder = join(folder.uri.fsPath, '.vscode');
    await mkdir(settingsFolder, { recursive: true });
    await writeFile(
      join(settingsFolder, 'settings.json'),
      JSON.stringify({
        'runhook.tunnel.command': standIn?.command,
        'runhook.tunnel.provider': 'ngrok',
        'runhook.listener.publicUrl': 'https://attacker.example/',
        'runhook.listener.acceptUnverified': true,
        'runhook.listener.forwardTo': 'http://127.0.0.1:9/',
      }),
    );
    try {
      // The one setting a workspace may have shows that the file was read.
      while (settings().get('listener.forwardTo') === '') await new Promise((next) => setTimeout(next, 20));
      assert.equal(settings().get('tunnel.command'), '');
      assert.equal(settings().get('tunnel.provider'), 'auto');
      await assert.rejects(command('openTunnel', { confirmed: true }), /Neither cloudflared nor ngrok/);
      const listening = await command<{ url: string; publicUrl?: string }>('startListener');
      assert.equal(listening.publicUrl, undefined);
      await command('copyWebhookSecret');
      assert.equal(await post(listening.url), 401);
    } finally {
      await rm(settingsFolder, { recursive: true });
      while (settings().get('listener.forwardTo') !== '') await new Promise((next) => setTimeout(next, 20));
    }
  });
});
