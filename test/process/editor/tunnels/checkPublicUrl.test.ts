import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createUndiciTransport } from '../../../../src/service/client/undiciTransport.ts';
import {
  type PublicUrlCheck,
  checkPublicUrl,
  type UrlSource,
} from '../../../../src/editor/tunnels/checkPublicUrl.ts';
import { ngrok } from '../../../../src/listener/tunnels/tunnel.ts';
import { TunnelProcess } from '../../../../src/listener/tunnels/tunnelProcess.ts';
import { ListenerRig, secret } from '../../../support/listener/listenerRig.ts';
import { fakeTunnelProgram } from '../../../support/tunnels/fakeTunnelProgram.ts';
import { guardFile } from '../../../support/tunnels/tunnelGuardFile.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/tunnels', import.meta.url));

describe('checkPublicUrl', () => {
  const transport = createUndiciTransport({
    proxySupport: 'off',
    strictSsl: true,
    systemCertificates: false,
  });
  let rig: ListenerRig;
  let count = 0;
  /** Of each check, whether a probe that may still come is waited for. */
  const waited: boolean[] = [];

  before(async () => {
    rig = await new ListenerRig().start();
    rig.clock = Date.now();
  });
  after(async () => {
    await transport.close();
    await rig.end();
  });

  async function check(url: string, source: UrlSource = 'settings'): Promise<PublicUrlCheck> {
    const { probes } = rig.listener;
    const expected = new Set<string>();
    const result = await checkPublicUrl(new URL(url), {
      transport: transport.send,
      expect: (nonce) => {
        probes.expect(nonce);
        expected.add(nonce);
        return Promise.resolve();
      },
      collect: (nonce, isSent) => {
        waited.push(isSent);
        expected.delete(nonce);
        return Promise.resolve(probes.collect(nonce));
      },
      secret,
      source,
      nonce: `nonce-${(count += 1)}`,
      now: () => Date.now(),
      timeoutMs: 2000,
    });
    assert.equal(expected.size, 0, 'a probe is still expected');
    assert.deepEqual(rig.list(), [], 'a probe was kept as a delivery');
    return result;
  }
  /** Checks through a tunnel of the stand-in for ngrok. */
  async function checkThrough(part: string, path = ''): Promise<PublicUrlCheck> {
    const standIn = fakeTunnelProgram(fixtures, 'ngrok', part);
    const tunnel = new TunnelProcess({
      ...{ adapter: ngrok, command: standIn.command, guardFile, port: rig.port },
      ...{ openWithinMs: 5000, settleMs: 5000, killAfterMs: 500, onLine: (line: string) => line },
    });
    try {
      return await check(`${await tunnel.opened}${path}`, 'tunnel');
    } finally {
      await tunnel.close();
      standIn.remove();
    }
  }
  const failing = ({ hops }: PublicUrlCheck): string[] => hops.filter(({ ok }) => !ok).map(({ hop }) => hop);

  it('finds nothing wrong with a tunnel that passes everything on', async () => {
    const result = await checkThrough('opens', 'hook?a=b%20c');
    assert.equal(waited.at(-1), true);
    assert.deepEqual(failing(result), []);
    assert.equal(result.ok, true);
    assert.deepEqual(
      result.hops.map(({ hop }) => hop),
      ['address', 'connection', 'listener', 'path', 'requestId', 'body', 'signature', 'clock'],
    );
  });

  const spoiled: [string, string[], RegExp][] = [
    ['rewritesRequestId', ['requestId', 'signature'], /X-Request-Id was rewritten/],
    ['changesBody', ['body', 'signature'], /body was changed on the way \(\d+ bytes became \d+\)/],
    ['changesPath', ['path'], /\/hook became \/somewhere\/else/],
    [
      'dropsSignature',
      ['signature'],
      /The header x-\S+-signature was removed on the way: no signature can verify/,
    ],
    ['clockBehind', ['clock'], /(599|60\d) seconds ahead/],
    ['clockAhead', ['clock'], /(8[89]|9[01]) seconds behind/],
    ['reachesNothing', ['listener'], /127\.0\.0\.1:\d+ returned 502: it did not reach the listener/],
    ['answersItself', ['listener'], /Another program responds at 127\.0\.0\.1:\d+, with 404/],
  ];
  for (const [part, hops, detail] of spoiled) {
    it(`names what a tunnel does: ${part}`, async () => {
      const result = await checkThrough(part, 'hook');
      assert.equal(result.ok, false);
      assert.deepEqual(failing(result), hops);
      assert.match(result.hops.map((hop) => hop.detail).join('\n'), detail);
    });
  }

  it('takes a clock that is off by what the way there takes', async () => {
    assert.deepEqual(failing(await checkThrough('clockBarelyOff')), []);
  });

  it('says that a host name was not found, and may be known later where the tunnel is its own', async () => {
    const told = async (source: UrlSource) => {
      const result = await check('http://no-such-tunnel.invalid/', source);
      assert.deepEqual(failing(result), ['address']);
      return result.hops[0]?.detail ?? '';
    };
    assert.match(await told('settings'), /host name .* was not found\. Is the tunnel open\?/);
    assert.match(await told('tunnel'), /host name .* was not found\. A new tunnel may take a minute/);
  });

  it('says that nothing answers', async () => {
    const result = await check('http://127.0.0.1:1/');
    assert.deepEqual(failing(result), ['connection']);
    assert.equal(waited.at(-1), false);
  });

  for (const [what, status, failed, detail] of [
    [
      'kept a probe that nobody read',
      200,
      'listener',
      /The relay accepted the probe, but the listener did not get it/,
    ],
    ['closed the address', 404, 'listener', /The relay does not know the address/],
    ['cannot keep it', undefined, 'connection', /did not respond: its engine cannot be reached, or too many/],
  ] as const) {
    it(`says that a relay ${what}`, async () => {
      const relay = createServer((request, response) => {
        if (status === undefined) request.socket.destroy();
        else request.resume().on('end', () => response.writeHead(status).end());
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => relay.once('listening', resolve));
      const result = await check(`http://127.0.0.1:${(relay.address() as AddressInfo).port}/in/x/`, 'relay');
      relay.close();
      assert.deepEqual(failing(result), [failed]);
      assert.match(result.hops.at(-1)?.detail ?? '', detail);
    });
  }

  it('names a relay that is down', async () => {
    const down = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => down.once('listening', resolve));
    const { port } = down.address() as AddressInfo;
    await new Promise((resolve) => down.close(resolve));
    const result = await check(`http://127.0.0.1:${port}/in/x/`, 'relay');
    assert.deepEqual(failing(result), ['connection']);
    assert.equal(
      result.hops[1]?.detail,
      `The relay 127.0.0.1:${port} is not available: nothing listens there.`,
    );
  });

  it('says that nothing answers in time', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    try {
      const result = await check(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
      assert.deepEqual(failing(result), ['connection']);
      assert.match(result.hops[1]?.detail ?? '', /^No response from 127\.0\.0\.1:\d+: silent for 2 s\.$/);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('says where a redirect leads, without a control character', async () => {
    const away = createServer((_, response) => {
      response.writeHead(302, { Location: 'https://login.example/\u00e9' });
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => away.once('listening', resolve));
    try {
      const result = await check(`http://127.0.0.1:${(away.address() as AddressInfo).port}/`);
      assert.deepEqual(failing(result), ['listener']);
      assert.match(result.hops[2]?.detail ?? '', /redirects to https:\/\/login\.example\//);
    } finally {
      away.closeAllConnections();
      away.close();
    }
  });
});
