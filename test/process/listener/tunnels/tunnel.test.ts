import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tunnel, tunnelTimes } from '../../../../src/listener/tunnels/tunnel.ts';
import type { TunnelState } from '../../../../src/deliveries/listenerProtocol.ts';
import { fakeTunnelProgram, type FakeTunnelProgram } from '../../../support/tunnels/fakeTunnelProgram.ts';
import { guardFile } from '../../../support/tunnels/tunnelGuardFile.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/tunnels', import.meta.url));

describe('Tunnel, with stand-ins for the programs', () => {
  let standIn: FakeTunnelProgram;
  let tunnel: Tunnel;
  let states: TunnelState[];
  let waits: number[];

  function open(
    program: 'cloudflared' | 'ngrok',
    part: string,
    {
      command,
      isWrapped = false,
      pause = (ms) => Promise.resolve(void waits.push(ms)),
      ...times
    }: Partial<typeof tunnelTimes> & {
      command?: string;
      isWrapped?: boolean;
      pause?: (ms: number, signal: AbortSignal) => Promise<void>;
    } = {},
  ): Promise<string> {
    standIn = fakeTunnelProgram(fixtures, program, part);
    states = [];
    waits = [];
    tunnel = new Tunnel({
      guardFile,
      port: () => 8787,
      holdsSecret: () => true,
      onState: (state) => states.push(state),
      say: () => undefined,
      times: {
        ...tunnelTimes,
        openWithinMs: 5000,
        settleMs: 4000,
        killAfterMs: 300,
        restartAfterMs: [1, 2],
        ...times,
      },
      pause,
    });
    return tunnel.open(program, command ?? (isWrapped ? standIn.wrapper() : standIn.command));
  }
  const kinds = (): string[] => states.map(({ kind }) => kind);
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  afterEach(async () => {
    await tunnel.close();
    standIn.remove();
  });

  it('is closed where a script started the program', async () => {
    await open('cloudflared', 'opens', { isWrapped: true });
    await tunnel.close();
    assert.equal(tunnel.state.kind, 'closed');
  });

  it('reads the address of cloudflared once its connection is registered, and ends it', async () => {
    assert.equal(await open('cloudflared', 'opens'), 'https://four-word-tunnel-1.trycloudflare.com/');
    await tunnel.close();
    assert.deepEqual(kinds(), ['opening', 'open', 'closed']);
    assert.equal(standIn.starts(), 1);
  });

  it('reads the address of ngrok', async () => {
    assert.match(await open('ngrok', 'opens'), /^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it('is no tunnel of the configuration that the user has for cloudflared', async () => {
    const url = await open('cloudflared', 'takesConfiguration');
    assert.equal(url, 'https://of-nobodys-configuration.trycloudflare.com/');
    await tunnel.close();
    const config = readFileSync(join(standIn.folder, 'starts-config'), 'utf8');
    assert.ok(!existsSync(config), config);
  });

  it('takes an address to work when no connection is reported for a while', async () => {
    const url = await open('cloudflared', 'tellsNoConnection', { settleMs: 20 });
    assert.equal(url, 'https://four-word-tunnel.trycloudflare.com/');
  });

  const failing: ['cloudflared' | 'ngrok', string, RegExp][] = [
    ['cloudflared', 'rateLimited', /allows no more tunnels/],
    [
      'cloudflared',
      'neverConnects',
      /^UserError: cloudflared exited \(1\): .*ERR Failed to dial a quic connection\.$/,
    ],
    ['cloudflared', 'offline', /failed to request quick Tunnel: .*no such host/],
    [
      'cloudflared',
      'misconfigured',
      /^UserError: cloudflared: Error parsing YAML in config file at .*line 3/,
    ],
    ['ngrok', 'noAccount', /does not know your account \(ERR_NGROK_4018\)/],
    ['ngrok', 'secondSession', /already has a tunnel open \(ERR_NGROK_108\)/],
    ['ngrok', 'panics', /^UserError: ngrok exited \(2\): panic: no such tunnel\.$/],
    ['ngrok', 'rateLimited', /allows no more connections .*\(ERR_NGROK_702\)/],
  ];
  for (const [program, part, reason] of failing) {
    it(`says why ${program} opens none: ${part}`, async () => {
      await assert.rejects(open(program, part), reason);
      assert.deepEqual(kinds(), ['opening', 'failed']);
    });
  }

  for (const program of ['cloudflared', 'ngrok'] as const) {
    it(`gives up ${program} when it hangs, and ends it`, async () => {
      await assert.rejects(
        open(program, 'hangs', { openWithinMs: 400 }),
        /did not report a public address within 0.4/,
      );
      assert.deepEqual(kinds(), ['opening', 'failed']);
    });
  }

  it('says that a program cannot be started', async () => {
    await assert.rejects(open('ngrok', 'opens', { command: '/nowhere/ngrok' }), /ngrok cannot be started/);
  });

  it('starts a program again that died, and tells the new address', async () => {
    await open('cloudflared', 'diesOnce');
    await until(() => kinds().filter((kind) => kind === 'open').length === 2);
    assert.deepEqual(kinds(), ['opening', 'open', 'reopening', 'open']);
    const last = states.at(-1);
    assert.equal(last?.kind === 'open' && last.publicUrl, 'https://four-word-tunnel-2.trycloudflare.com/');
  });

  it('stops starting a program that keeps dying', async () => {
    await open('cloudflared', 'dies');
    await until(() => kinds().includes('failed'));
    assert.deepEqual(waits, [1, 2]);
    assert.equal(standIn.starts(), 3);
    assert.match(
      JSON.stringify(states.at(-1)),
      /cloudflared exited \(1\): .*ERR Failed to serve tunnel connection\./,
    );
  });

  it('gives a program that stayed open all its starts back', async () => {
    await open('cloudflared', 'dies', { steadyAfterMs: 0 });
    await until(() => standIn.starts() > 4);
    assert.ok(waits.every((wait) => wait === 1));
  });

  it('is closed while it waits to start again', async () => {
    const pause = (_: number, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('closed'))));
    await open('cloudflared', 'dies', { pause });
    await until(() => kinds().includes('reopening'));
    await tunnel.close();
    assert.equal(kinds().at(-1), 'closed');
    assert.equal(standIn.starts(), 1);
  });

  it('is closed while it opens', async () => {
    const opening = assert.rejects(open('cloudflared', 'hangs'));
    await until(() => kinds().includes('opening'));
    await tunnel.close();
    await opening;
    assert.deepEqual(kinds(), ['opening', 'closed']);
  });

  it('kills a program that does not end by itself', async () => {
    await open('cloudflared', 'ignoresSignals');
    await tunnel.close();
    assert.equal(kinds().at(-1), 'closed');
  });
});
