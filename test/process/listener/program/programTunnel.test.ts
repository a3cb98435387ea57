import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newRelayKey } from '../../../../src/deliveries/relayProtocol.ts';
import { programFolder } from '../../../../src/listener/attach/controlFile.ts';
import { processesWithEnv } from '../../../support/processes/processesWithEnv.ts';
import { isRunning, ProgramWindows, type TestWindow } from '../../../support/listener/programWindows.ts';
import { fakeTunnelProgram, type FakeTunnelProgram } from '../../../support/tunnels/fakeTunnelProgram.ts';
import { waitFor } from '../../../support/time/waitFor.ts';
import { findFreePort } from '../../../soak/freePort.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/tunnels', import.meta.url));
/** A name of the environment that the program and all that it starts inherit: it marks them. */
const marking = 'XDG_CONFIG_HOME';

describe('the tunnel of the listener program', () => {
  const before = process.env[marking];
  let windows: ProgramWindows;
  let standIn: FakeTunnelProgram;

  beforeEach(() => {
    windows = new ProgramWindows();
    process.env[marking] = windows.folder;
  });
  afterEach(async () => {
    await windows.end();
    // Of a test that failed.
    for (const { pid } of await marked()) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    standIn.remove();
    if (before === undefined) Reflect.deleteProperty(process.env, marking);
    else process.env[marking] = before;
  });

  /** Of the program, the guard and the tunnel's program. */
  const marked = () => processesWithEnv(`${marking}=${windows.folder}`);
  const running = async (): Promise<number> => (await marked()).length;
  const nothingLeft = (): Promise<unknown> => waitFor('the end of all', async () => (await running()) === 0);
  const log = (): string => readFileSync(join(windows.folder, programFolder, 'listener.log'), 'utf8');
  const post = async (url: string): Promise<number> =>
    (await fetch(url, { method: 'POST', body: '{}' })).status;

  async function open(
    window: TestWindow,
    program: 'cloudflared' | 'ngrok' = 'cloudflared',
    part = 'opens',
  ): Promise<string> {
    standIn = fakeTunnelProgram(fixtures, program, part);
    const { command } = standIn;
    return (await window.peer.call.openTunnel({ program, command })).publicUrl;
  }
  const withPort = async (settings = {}): Promise<TestWindow & { port: number }> => {
    const window = await windows.open({ settings: { keepAliveSeconds: 60, ...settings } });
    return Object.assign(window, await window.peer.call.listen({ port: 0 }));
  };

  it('outlives its windows, and the next one finds it open at the same address', async () => {
    const first = await withPort();
    assert.deepEqual(first.welcome.tunnel, { kind: 'closed' });
    const publicUrl = await open(first, 'ngrok');
    first.peer.close();
    await waitFor('the word that it has left', () => log().includes('The last window has left'));
    assert.equal(await windows.sender(Number(new URL(publicUrl).port)).deliver('between', '{}'), 200);
    const next = await windows.open();
    assert.deepEqual(next.welcome.tunnel, { kind: 'open', provider: 'ngrok', publicUrl });
    assert.deepEqual([next.welcome.port, next.welcome.missed], [first.port, 1]);
    assert.equal((await next.peer.call.listen({ port: first.port })).port, first.port);
    assert.equal(await windows.sender(Number(new URL(publicUrl).port)).deliver('after', '{}'), 200);
    assert.equal(next.tunnels.length, 0, 'nothing has changed');
  });

  it('is one for all windows, which are told of it', async () => {
    const one = await withPort();
    const other = await windows.open();
    const publicUrl = await open(one);
    const { command } = standIn;
    assert.deepEqual(await other.peer.call.openTunnel({ program: 'cloudflared', command }), {
      publicUrl,
    });
    await other.peer.call.closeTunnel();
    for (const window of [one, other]) {
      await waitFor('the word of its end', () => window.tunnels.length === 3);
      const kinds = window.tunnels.map(({ kind }) => kind);
      assert.deepEqual(kinds, ['opening', 'open', 'closed']);
    }
    const again = { program: 'cloudflared', command } as const;
    const both = [one, other].map((window) => window.peer.call.openTunnel(again));
    const [first, second] = await Promise.all(both);
    assert.deepEqual(first, second);
    assert.equal(standIn.starts(), 2);
  });

  it('says to the window why there is none, and to the next', async () => {
    const window = await withPort();
    await assert.rejects(open(window, 'cloudflared', 'rateLimited'), /Cloudflare allows no more tunnels/);
    const { welcome } = await windows.open();
    assert.match(JSON.stringify(welcome.tunnel), /"failed".*Cloudflare allows no more/);
    standIn.remove();
    assert.match(await open(window), /four-word-tunnel-1/);
  });

  it('is found open by the next window, also where a relay could not be opened before', async () => {
    const window = await withPort();
    const relay = { url: `http://127.0.0.1:${await findFreePort()}/`, key: newRelayKey() };
    const network = { proxySupport: 'off', strictSsl: true, systemCertificates: false } as const;
    await assert.rejects(
      window.peer.call.openRelay({ ...relay, network, keepsTrying: false }),
      /relay .* is not available/,
    );
    const publicUrl = await open(window);
    const { welcome } = await windows.open();
    assert.deepEqual(welcome.tunnel, { kind: 'open', provider: 'cloudflared', publicUrl });
  });

  it('lets nothing unsigned in while it is there, whatever the windows say', async () => {
    const window = await withPort({ acceptUnverified: true });
    const local = `http://127.0.0.1:${window.port}/`;
    assert.equal(await post(local), 200);
    const publicUrl = await open(window, 'ngrok');
    await windows.open({ settings: { acceptUnverified: true } });
    for (const url of [publicUrl, local]) assert.equal(await post(url), 401);
    await window.peer.call.closeTunnel();
    assert.equal(await post(local), 200);
  });

  it('lets nothing unsigned in while it opens', async () => {
    const window = await withPort({ acceptUnverified: true });
    const opening = assert.rejects(open(window, 'cloudflared', 'hangs'));
    await waitFor('the word that it opens', () => window.tunnels.length === 1);
    assert.equal(await post(`http://127.0.0.1:${window.port}/`), 401);
    await window.peer.call.closeTunnel();
    await opening;
  });

  it('is not opened while no secret is held', async () => {
    const window = await withPort({ secrets: [] });
    await assert.rejects(open(window), /needs a webhook secret/);
    assert.equal(await running(), 1);
  });

  it('is not opened where nobody listens', async () => {
    await assert.rejects(open(await windows.open()), /does not listen/);
    assert.equal(await running(), 1);
  });

  describe('leaves nothing behind', () => {
    let window: TestWindow;
    const opened = async (part?: string, settings?: object): Promise<void> => {
      window = await withPort(settings);
      await open(window, 'cloudflared', part);
      assert.equal(await running(), 3);
    };

    it('when it is closed', async () => {
      await opened();
      await window.peer.call.closeTunnel();
      assert.equal(await running(), 1);
    });

    it('when another port is listened on', async () => {
      await opened();
      await (await windows.open()).peer.call.listen({ port: 0 });
      assert.equal(await running(), 3, 'it is the same port');
      await window.peer.call.listen({ port: await findFreePort() });
      assert.equal(await running(), 1);
      assert.equal(window.tunnels.at(-1)?.kind, 'closed');
    });

    it('when the listener has stopped', async () => {
      await opened();
      await window.peer.call.stop();
      await nothingLeft();
      assert.equal(window.tunnels.at(-1)?.kind, 'closed');
    });

    it('when the program ends after its last window', async () => {
      await opened('opens', { keepAliveSeconds: 0 });
      window.peer.close();
      await nothingLeft();
    });

    it('when the program is killed, which it is not told of', async () => {
      await opened();
      process.kill(window.welcome.pid, 'SIGKILL');
      await waitFor('its end', () => !isRunning(window.welcome.pid));
      await nothingLeft();
    });

    it('when another version takes the place of the program', async () => {
      await opened();
      const next = await windows.open({ version: '99.0.0', replaces: true });
      assert.deepEqual(next.welcome.tunnel, { kind: 'closed' });
      await waitFor('the end of the others', async () => (await running()) === 1);
    });
  });

  it('has what its program prints in the log, without secrets', async () => {
    await open(await withPort(), 'ngrok', 'tellsToken');
    assert.match(log(), /ngrok: .*started tunnel/);
    assert.match(log(), /open config file.*••••/);
    assert.doesNotMatch(log(), /2kQ9aLx7/);
  });
});
