import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { failureReason } from '../../../src/shared/http/failureReason.ts';
import { sendRequest } from '../../../src/deliveries/sendRequest.ts';
import { createLocalCa, type LocalCa } from '../../support/http/localCa.ts';

describe('a delivery to an app that speaks https', () => {
  let ca: LocalCa;
  const servers: Server[] = [];
  before(() => {
    ca = createLocalCa('localhost');
  });
  after(() => ca.dispose());
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function portOf(server: Server, host = '127.0.0.1'): Promise<number> {
    servers.push(server.listen(0, host));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const held = () => ({ key: ca.key, cert: ca.cert });
  const secure = (): Server => https.createServer(held(), (_, response) => response.end('ok'));
  const send = (address: string, acceptLocalCertificates = false) =>
    sendRequest({
      url: new URL(address),
      method: 'POST',
      rawHeaders: [],
      body: Buffer.from('{}'),
      acceptLocalCertificates,
    });
  const codeOf = (sent: Promise<unknown>): Promise<unknown> =>
    sent.then(
      () => 'sent',
      (error: unknown) => (error as { code?: unknown }).code,
    );

  it('counts with a certificate that nobody trusts where that was accepted, by any name of this machine', async () => {
    const port = await portOf(secure());
    for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]']) {
      assert.notEqual(await codeOf(send(`https://${host}:${port}/`)), 'sent');
      assert.equal((await send(`https://${host}:${port}/`, true)).status, 200);
    }
    assert.equal(await codeOf(send(`https://127.0.0.1:${port}/`)), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });

  // A machine without a network has none.
  const outside = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  if (outside !== undefined)
    it('is not sent elsewhere by that', async () => {
      let requests = 0;
      const server = https.createServer(held(), () => (requests += 1));
      const port = await portOf(server, outside.address);
      const sent = send(`https://${outside.address}:${port}/`, true);
      assert.equal(await codeOf(sent), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
      assert.equal(requests, 0);
    });

  it('says where the address has the wrong protocol', async () => {
    const plain = await portOf(http.createServer((_, response) => response.end('ok')));
    assert.equal(await codeOf(send(`https://127.0.0.1:${plain}/`, true)), 'ERR_NOT_TLS');
    const encrypted = await portOf(secure());
    assert.equal(await codeOf(send(`http://127.0.0.1:${encrypted}/`)), 'ERR_IS_TLS');
    const closing = await portOf(createServer((socket) => socket.on('error', () => undefined).destroy()));
    assert.equal(await codeOf(send(`http://127.0.0.1:${closing}/`)), 'ECONNRESET');
  });

  it('says where the app has ended on it', async () => {
    const ending = http.createServer((_, response) => {
      ending.close();
      response.destroy();
    });
    const port = await portOf(ending);
    assert.equal(await codeOf(send(`http://127.0.0.1:${port}/`)), 'ERR_ENDED');
  });

  const words = [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate self-signed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate not trusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate not trusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate for another name'],
    ['CERT_HAS_EXPIRED', 'certificate expired'],
    ['CERT_NOT_YET_VALID', 'certificate not valid yet'],
    ['ERR_NOT_TLS', 'it uses http, not https'],
    ['ERR_IS_TLS', 'it uses https, not http'],
    ['ERR_ENDED', 'it has ended'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'it uses http, not https'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'no encrypted connection'],
    ['EPROTO', 'no encrypted connection'],
  ] as const;
  it('says in words what is wrong with a certificate or a protocol', () => {
    for (const [code, text] of words) {
      assert.equal(failureReason(Object.assign(new Error('x'), { code })), text);
    }
  });
});
