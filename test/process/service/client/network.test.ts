import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { UnreachableError } from '../../../../src/service/client/errors.ts';
import { unreachable } from '../../../../src/service/client/timeLimit.ts';
import type { Transport } from '../../../../src/service/client/transport.ts';
import {
  createUndiciTransport,
  type NetworkOptions,
  type UndiciTransport,
} from '../../../../src/service/client/undiciTransport.ts';
import { createLocalCa, type LocalCa } from '../../../support/http/localCa.ts';
import { LocalProxy } from '../../../support/http/localProxy.ts';
import { Receiver } from '../../../support/http/receiver.ts';

const probe = fileURLToPath(
  new URL('../../../support/service/requestWithSystemCertificates.ts', import.meta.url),
);
const plain: NetworkOptions = { proxySupport: 'on', strictSsl: true, systemCertificates: false };

async function textOf(response: Awaited<ReturnType<Transport>>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of response.body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('the way to the service', () => {
  const opened: UndiciTransport[] = [];
  const open = (options: Partial<NetworkOptions>): Transport => {
    const transport = createUndiciTransport({ ...plain, ...options });
    opened.push(transport);
    return transport.send;
  };
  const get = async (send: Transport, address: string) =>
    textOf(await send({ method: 'GET', url: new URL(address), headers: {}, timeoutMs: 5000 }));

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(async (transport) => transport.close()));
  });

  describe('through an HTTP proxy', () => {
    let service: Receiver;
    let proxy: LocalProxy;
    let proxyAddress: string;

    beforeEach(async () => {
      service = await Receiver.start();
      service.otherwise = (_, response) => response.end('from the service');
      proxy = new LocalProxy(Number(new URL(service.url).port));
      proxyAddress = await proxy.start();
    });
    afterEach(async () => {
      await proxy.stop();
      await service.close();
    });

    it('says that the proxy wants a password, or why else it does not connect', async () => {
      const asked = async (refusal: number): Promise<string> => {
        proxy.refusal = refusal;
        return get(open({ proxy: proxyAddress }), 'https://api.example/x');
      };
      await assert.rejects(asked(407), {
        passing: false,
        message: /requires authentication \(407\).*"http\.proxyAuth/,
      });
      await assert.rejects(asked(403), {
        passing: false,
        message: /did not connect to api\.example: it returned 403/,
      });
      await assert.rejects(asked(502), {
        passing: true,
        message: /did not connect to api\.example: it returned 502/,
      });
    });

    it('goes there with the whole address', async () => {
      assert.equal(await get(open({ proxy: proxyAddress }), 'http://api.example/x'), 'from the service');
      assert.deepEqual(proxy.requests, ['GET http://api.example/x']);
    });

    it('takes what the proxy wants to see with it', async () => {
      await get(open({ proxy: proxyAddress, proxyAuthorization: 'Basic dXNlcg==' }), 'http://api.example/x');
      assert.deepEqual(proxy.authorizations, ['Basic dXNlcg==']);
    });

    it('never goes there for this machine: the sandbox stays within reach', async () => {
      assert.equal(await get(open({ proxy: proxyAddress }), `${service.url}/x`), 'from the service');
      assert.deepEqual(proxy.requests, []);
    });

    it('does not go there for a host that is named as an exception', async () => {
      const send = open({ proxy: proxyAddress, noProxy: ['nowhere.invalid'] });
      await assert.rejects(
        get(send, 'http://nowhere.invalid/x'),
        /nowhere\.invalid could not be reached: its name was not found/,
      );
      assert.deepEqual(proxy.requests, []);
    });

    it('names the proxy where it is the one that is not reached, without what it wants to see', async () => {
      await proxy.stop();
      const { host } = new URL(proxyAddress);
      for (const address of ['http://api.example/x', 'https://api.example/x']) {
        const send = open({ proxy: proxyAddress.replace('//', '//user:password@') });
        await assert.rejects(get(send, address), {
          passing: true,
          message: `The proxy ${host} could not be reached: nothing listens there. It is set by "http.proxy" or by the environment.`,
          inRow: 'proxy: nothing listens there',
        });
      }
      await assert.rejects(
        get(open({ proxy: 'http://proxy.invalid:3128' }), 'https://api.example/x'),
        /^UnreachableError: The proxy proxy\.invalid:3128 could not be reached/,
      );
      await proxy.start();
    });

    it('leads to the settings of the proxy where that is the one that fails', async () => {
      const kinds = async (send: Transport) => {
        const error = await get(send, 'https://api.example/x').catch((failure: unknown) => failure);
        return (error as UnreachableError).remedies.map((remedy) =>
          'ids' in remedy ? remedy.ids[0] : remedy.kind,
        );
      };
      proxy.refusal = 407;
      assert.deepEqual(await kinds(open({ proxy: proxyAddress })), ['http.proxy']);
      await proxy.stop();
      assert.deepEqual(await kinds(open({ proxy: proxyAddress })), ['tryAgain', 'http.proxy']);
      await proxy.start();
    });

    it('says of a proxy without http:// that it is none, and still reaches this machine', async () => {
      for (const unusable of ['proxy.corp:8080', 'not an address']) {
        const send = open({ proxy: unusable });
        await assert.rejects(get(send, 'https://api.example/x'), {
          message: /^The address of the proxy does not begin with http:/,
          short: 'proxy: no http address',
          // A change that was never sent cannot have been applied.
          ...{ wasSent: false, passing: false },
        });
        assert.equal(await get(send, `${service.url}/x`), 'from the service');
      }
    });

    it('follows the environment where the settings name none, unless proxies are off', async () => {
      const before = process.env['http_proxy'];
      process.env['http_proxy'] = proxyAddress;
      try {
        assert.equal(await get(open({}), 'http://nowhere.invalid/x'), 'from the service');
        await assert.rejects(get(open({ proxySupport: 'off' }), 'http://nowhere.invalid/x'), /was not found/);
      } finally {
        if (before === undefined) delete process.env['http_proxy'];
        else process.env['http_proxy'] = before;
      }
    });
  });

  describe('to a server whose certificate a local authority signed', () => {
    let ca: LocalCa;
    let server: Receiver;

    before(async () => {
      ca = createLocalCa('api.example');
      server = await Receiver.start(ca);
      server.otherwise = (_, response) => response.end('over TLS');
    });
    after(async () => {
      await server.close();
      ca.dispose();
    });

    const askInOwnProcess = async (systemCertificates: boolean, address = server.url) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [probe, address, String(systemCertificates)],
        { env: { ...process.env, SSL_CERT_FILE: ca.caFile } },
      );
      return stdout.trim();
    };

    it('works where the system store trusts it', async () => {
      assert.equal(await askInOwnProcess(true), '200');
      assert.match(
        await askInOwnProcess(false),
        /certificate not trusted\. Add it to the certificates that this system trusts\.$/,
      );
    });

    it('is refused where it was issued for another name, though it is trusted', async () => {
      const answer = await askInOwnProcess(true, server.url.replace('127.0.0.1', 'localhost'));
      assert.match(
        answer,
        /^The service at localhost:\d+ could not be reached: certificate for another name\.$/,
      );
    });

    it('is not tried again where it has expired, or where no TLS is spoken at all', async () => {
      const url = new URL('https://api.example');
      const cause = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' });
      const expired = unreachable(url, cause, url.host);
      assert.equal(expired.message, 'The service at api.example could not be reached: certificate expired.');
      assert.equal(expired.passing, false);
      const plainHttp = await Receiver.start();
      await assert.rejects(get(open({}), plainHttp.url.replace('http:', 'https:')), {
        passing: false,
        message: /could not be reached: it uses http, not https\.$/,
      });
      await plainHttp.close();
    });

    it('is refused where nobody trusts it, with a reason, and not tried again', async () => {
      await assert.rejects(get(open({}), server.url), {
        passing: false,
        message: /not trusted/,
      });
    });

    it('works where the user has switched the check off', async () => {
      assert.equal(await get(open({ strictSsl: false }), server.url), 'over TLS');
    });

    it('works through a tunnel of the proxy, by the name of the service', async () => {
      const proxy = new LocalProxy(Number(new URL(server.url).port));
      const send = open({ proxy: await proxy.start(), strictSsl: false });
      assert.equal(await get(send, 'https://api.example/x'), 'over TLS');
      assert.deepEqual(proxy.requests, ['CONNECT api.example:443']);
      await proxy.stop();
    });
  });
});
