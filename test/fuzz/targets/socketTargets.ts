import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { startSandboxServer } from '../../support/service/startSandboxServer.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { converse, cutAt, differs, requestBytes } from '../../support/listener/wire.ts';
import { seedsOf, type Target } from '../target.ts';

const silenceMs = 40;

/** Sends bytes and returns the answer, once the other side is silent or closes the connection. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setTimeout(silenceMs, () => socket.destroy());
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    // A reset is allowed.
    socket.on('error', () => undefined).on('close', () => resolve(text));
  });
}

function statusesOf(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
}

const httpWords = [
  ...[
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    '\r\n\r\n',
    'Expect: 100-continue',
    'Upgrade: websocket',
  ],
  ...[
    '0\r\n\r\n',
    'Origin: http://x',
    'POST / HTTP/1.1\r\nHost: x\r\n',
    ' HTTP/1.0',
    'Connection: close',
    '\n ',
  ],
];

/** Bytes on a socket of the listener: it must survive, and only verify what was signed. */
export async function listenerTarget(): Promise<Target> {
  const rig = await new ListenerRig().start();
  const bodies = ['{"run_id":"r-1"}', '', 'text', '{}'];
  const seeds = bodies.map((body, index) => {
    const headers = { Host: 'x', ...rig.signed(`r-${index}`, body), 'Content-Length': String(body.length) };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`POST / HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  });
  let count = 0;
  return {
    name: 'listener',
    seeds,
    tokens: [...httpWords, 'X-Request-Id: r-1', 'v1,', 'X-Service-Webhook-Timestamp: 1790000000'],
    check: async (input) => {
      for (const status of statusesOf(await exchange(rig.port, input))) {
        assert.ok([100, 200, 400, 401, 403, 405, 408, 413, 417, 431].includes(status), `answered ${status}`);
      }
      for (const id of rig.arrived.splice(0)) {
        const { verdict, body } = rig.store.whole(id);
        if (verdict === 'verified') assert.ok(bodies.includes(body), 'a forgery');
      }
      count += 1;
      if (count % 50 === 0) assert.equal((await rig.deliver(`alive-${count}`)).status, 200);
    },
    dispose: () => rig.end(),
  };
}

/** A delivery and what comes behind it, cut at two places: the wire must say of each what the list says. */
export async function wireTarget(): Promise<Target> {
  const rig = await new ListenerRig().start();
  const request = requestBytes({}, '{}').toString('latin1');
  let count = 0;
  return {
    name: 'wire',
    // Two bytes say where it is cut.
    seeds: ['', request, 'garbage\r\n\r\n', request.slice(0, -1), request.repeat(3)].map((junk) =>
      Buffer.from(`\x80\xf0${junk}`, 'latin1'),
    ),
    tokens: [...httpWords, 'Connection: Upgrade', 'CONNECT x:1', 'GET ', '5\r\nhal'],
    check: async (input) => {
      count += 1;
      const delivery = requestBytes(rig.signed(`r-${count}`, '{}'), '{}', { isChunked: count % 2 === 0 });
      const [one = 0, other = 0, ...junk] = input;
      const parts = cutAt(Buffer.concat([delivery, Buffer.from(junk)]), [one / 256, other / 256]);
      const { statuses } = await converse(rig.port, parts, { endsAtOnce: count % 3 === 0 });
      assert.equal(differs(rig, statuses), undefined);
      assert.ok(statuses.includes(200), 'the delivery has no answer');
    },
    dispose: () => rig.end(),
  };
}

/** Bytes on a socket of the sandbox: it must survive, and answer only 4xx without a token. */
export async function sandboxTarget(): Promise<Target> {
  const sandbox = await startSandboxServer();
  const { baseUrl, projectId, serviceAccountId } = sandbox.address;
  const port = Number(new URL(baseUrl).port);
  const head = 'Host: x\r\nAuthorization: Bearer not.a.token\r\n';
  return {
    name: 'sandbox',
    seeds: seedsOf(
      `GET /v2/${projectId}/service-accounts/${serviceAccountId}/keys HTTP/1.1\r\n${head}\r\n`,
      `PATCH /v2/projects/${projectId}/apps/echo HTTP/1.1\r\n${head}Content-Length: 14\r\n\r\n{"gpuCount": 1}`,
      `POST /v4/${projectId}/echo/run?webhookEndpoint=http%3A%2F%2F127.0.0.1%3A1 HTTP/1.1\r\n${head}Content-Length: 2\r\n\r\n{}`,
    ),
    tokens: [...httpWords, 'Bearer ', '/openapi', '.json', 'PATCH', '%00'],
    check: async (input) => {
      for (const status of statusesOf(await exchange(port, input))) {
        const isDescription = input.includes('/openapi.json');
        assert.ok(status === 100 || (status >= 400 && status < 500) || isDescription, `answered ${status}`);
      }
    },
    dispose: () => sandbox.close(),
  };
}
