import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimeEnv } from '../../../scripts/test/receiverRuntimes.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { hasNats, NatsServer } from '../../support/relay/natsServer.ts';
import { type RunningRelay, startRelay, TestChannel, textOf } from '../../support/relay/relayRig.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const caddyEnv = runtimeEnv('Caddy');
const isThere = hasNats && caddyEnv !== undefined;

/** What compose.yaml has the proxy do, with another address and other relays. */
function proxyConfig(address: string, relays: readonly string[]): string {
  const compose = readFileSync(new URL('../../../docs/relay/compose.yaml', import.meta.url), 'utf8');
  const [, content] = /content: \|\n((?: {6}.*\n)+)/.exec(compose) ?? [];
  assert.ok(content?.includes('relay-1:8790 relay-2:8790'));
  return `{\n  admin off\n}\n${content}`
    .replaceAll('${RELAY_HOST}', address)
    .replace('relay-1:8790 relay-2:8790', relays.map((url) => new URL(url).host).join(' '));
}

describe('the proxy in front of relays, as compose.yaml has it', () => {
  if (!isThere) {
    it('needs nats-server and caddy');
    return;
  }
  let nats: NatsServer;
  let relays: RunningRelay[];
  let caddy: ChildProcess;
  let caddyEnd: Promise<unknown>;
  let channel: TestChannel;
  const folder = mkdtempSync(join(tmpdir(), 'runhook-proxy-'));

  before(async function () {
    this.timeout(60_000);
    nats = await NatsServer.start();
    const start = () => startRelay([nats.url], { limits: { takeMs: 1500 } });
    const [first, second] = [await start(), await start()];
    relays = [first, second];
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const config = join(folder, 'Caddyfile');
    writeFileSync(
      config,
      proxyConfig(
        url,
        relays.map((one) => one.url),
      ),
    );
    caddy = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
      env: { ...caddyEnv, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdio: 'ignore',
    });
    caddyEnd = new Promise((resolve) => caddy.once('exit', resolve));
    await waitFor('the proxy', async () => {
      assert.equal(caddy.exitCode, null, 'caddy has ended');
      return (await fetch(`${url}/healthz`).catch(() => undefined))?.ok === true;
    });
    channel = new TestChannel(url);
    assert.equal(await channel.open(), 200);
    channel.address = channel.address.replace(first.url, url).replace(second.url, url);
  });
  after(async () => {
    caddy.kill();
    await caddyEnd;
    await Promise.all(relays.map(({ relay }) => relay.end()));
    await nats.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('passes posts and the stream of a reader on, and lets go of a reader that has left', async () => {
    assert.equal(await channel.post('one'), 200);
    assert.deepEqual((await channel.read(1)).map(textOf), ['one']);
    // What the relay sends to a reader that is not there comes again 30 s later.
    const events = () => relays.flatMap(({ log }) => log.map(({ event }) => event));
    await waitFor('the reader to leave', () => events().includes('reader left'), 10_000);
  });

  it('gives the service no response where a relay gives none: it would not repeat after a 502', async () => {
    await nats.kill();
    assert.equal(await channel.post('two'), undefined);
    await nats.start();
    await waitFor('the engine', async () => (await channel.post('three')) === 200);
    // A relay that has not found the engine again has its reader leave.
    const read = await waitFor('what was accepted', async () => {
      const some = await channel.read(1);
      return some.length > 0 ? some : undefined;
    });
    assert.deepEqual(read.map(textOf), ['three']);
  });

  it('gives it none where no relay is left', async () => {
    await Promise.all(relays.map(({ relay }) => relay.end()));
    assert.equal(await channel.post('four'), undefined);
  });
});
