import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import {
  createUndiciTransport,
  type NetworkOptions,
  type UndiciTransport,
} from '../../src/service/client/undiciTransport.ts';
import { createTransport } from '../../src/editor/kit/transport.ts';
import { command, hideProjects } from '../support/editor/inEditor.ts';
import { LocalProxy } from '../support/http/localProxy.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';

/** A certificate for 127.0.0.1 and api.example, whose authority only the system store of this host trusts. */
const certificate = JSON.parse(process.env['RUNHOOK_TEST_CERTIFICATE'] ?? '{}') as {
  key: string;
  cert: string;
};

const directly: NetworkOptions = { proxySupport: 'off', strictSsl: true, systemCertificates: false };

/**
 * The fetch of VS Code 1.105 keeps the first proxy until the window is reloaded, and takes the system's store from
 * /etc alone, where a test may not write.
 */
const transports = vscode.version.startsWith('1.105.') ? ['undici'] : ['undici', 'editor'];

describe("the editor's own network settings", () => {
  const account = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };
  const service = new SandboxGate();
  let secure: Server;
  let proxy: LocalProxy | undefined;
  const set = async (section: string, id: string, value: unknown) =>
    vscode.workspace.getConfiguration(section).update(id, value, vscode.ConfigurationTarget.Global);
  const portOf = (server: Server) => (server.address() as AddressInfo).port;

  /** Lists the keys at an address. */
  async function listAt(address: string): Promise<object[]> {
    await set('runhook', 'baseUrl', address);
    await command('setToken', { ...account, token: service.address.token });
    return command<object[]>('listKeys', account);
  }

  /** From then on whatever is not this machine is reached through a proxy that leads to a port of it. */
  async function throughProxy(port: number): Promise<LocalProxy> {
    proxy = new LocalProxy(port);
    await set('http', 'proxy', await proxy.start());
    return proxy;
  }

  before(async () => {
    await hideProjects();
    await service.start();
    secure = createServer(certificate, (_, response) => response.end('[{"id":"over TLS"}]'));
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    await command('addProject', { id: 'p-sandbox', serviceAccounts: [{ id: 'sa-ci' }] });
  });
  afterEach(async () => {
    for (const id of ['proxy', 'proxyStrictSSL', 'systemCertificates']) await set('http', id, undefined);
    await set('runhook', 'http.transport', undefined);
    await proxy?.stop();
    proxy = undefined;
  });
  after(async () => {
    await command('removeProject', { projectId: 'p-sandbox' });
    await set('runhook', 'baseUrl', undefined);
    secure.close();
    secure.closeAllConnections();
    await service.stop();
  });

  it('lead through an HTTP proxy', async () => {
    const { requests: asked } = await throughProxy(Number(new URL(service.address.baseUrl).port));
    assert.equal((await listAt('http://api.example')).length, 5);
    assert.deepEqual(asked, ['GET http://api.example/v2/p-sandbox/service-accounts/sa-ci/keys']);
  });

  it('are asked for again by the next request where the code that sends it could not be loaded', async () => {
    const loads: (() => Promise<UndiciTransport>)[] = [
      () => Promise.reject(new Error('no such file')),
      () => Promise.resolve(createUndiciTransport(directly)),
    ];
    const log = vscode.window.createOutputChannel('Network Test', { log: true });
    const transport = createTransport(log, () => loads.shift()!());
    const url = new URL(service.address.baseUrl);
    const status = async () => (await transport({ method: 'GET', url, headers: {} })).status;
    await assert.rejects(status(), /no such file/);
    assert.equal(await status(), 401);
    // Loaded once.
    assert.equal(await status(), 401);
    transport.dispose();
    log.dispose();
  });

  it("are those of the editor's own fetch, where that sends the requests", async () => {
    await set('runhook', 'http.transport', 'editor');
    assert.equal((await listAt(service.address.baseUrl)).length, 5);
    // A header that fetch adds by itself, and no other way to send a request does.
    assert.equal(service.requests.at(-1)?.headers['sec-fetch-mode'], 'cors');
    const { requests: asked } = await throughProxy(Number(new URL(service.address.baseUrl).port));
    const before = service.requests.length;
    assert.equal((await listAt('http://api.example')).length, 5);
    assert.match(asked.join('\n'), /^(?:CONNECT api\.example:80|GET http:\/\/api\.example\/\S+)$/);
    assert.equal(service.requests[before]?.headers['sec-fetch-mode'], 'cors');
  });

  for (const transport of transports) {
    it(`trust a certificate by the system store, through the proxy as well: ${transport}`, async () => {
      await set('runhook', 'http.transport', transport);
      const found = [{ id: 'over TLS', status: 'unknown' }];
      assert.deepEqual(await listAt(`https://127.0.0.1:${portOf(secure)}`), found);
      const { requests: asked } = await throughProxy(portOf(secure));
      assert.deepEqual(await listAt('https://api.example'), found);
      assert.deepEqual(asked, ['CONNECT api.example:443']);
    });

    it(`name the proxy where it is the one that is not reached: ${transport}`, async () => {
      await set('runhook', 'http.transport', transport);
      const gone = new LocalProxy(0);
      const { host } = new URL(await gone.start());
      await gone.stop();
      await set('http', 'proxy', `http://user:password@${host}`);
      for (const scheme of ['http', 'https']) {
        await assert.rejects(listAt(`${scheme}://api.example`), (error: Error) => {
          assert.ok(
            error.message.startsWith(`The proxy ${host} could not be reached: nothing listens there.`),
            error.message,
          );
          assert.doesNotMatch(error.message, /password/);
          return true;
        });
      }
    });
  }

  it('trust it no more without the system store, unless no certificate is checked', async () => {
    await set('http', 'systemCertificates', false);
    const address = `https://127.0.0.1:${portOf(secure)}`;
    await assert.rejects(listAt(address), /certificate not trusted/);
    await set('http', 'proxyStrictSSL', false);
    assert.equal((await listAt(address)).length, 1);
  });
});
