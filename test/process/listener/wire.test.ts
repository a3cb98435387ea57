import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Receiver } from '../../support/http/receiver.ts';
import { ListenerRig } from '../../support/listener/listenerRig.ts';
import { converse, cutAt, differs, requestBytes } from '../../support/listener/wire.ts';
import { seed } from '../../support/random/seed.ts';

describe(`what is on the wire; seed ${seed}`, () => {
  let rig: ListenerRig;
  let app: Receiver;
  beforeEach(async () => {
    app = await Receiver.start();
    app.otherwise = 204;
    rig = await new ListenerRig().start();
  });
  afterEach(async () => {
    await rig.end();
    await app.close();
  });

  const websocket = { Connection: 'Upgrade', Upgrade: 'websocket' };
  /** Kinds of requests that are whole. @param id makes each another one */
  const requests: readonly ((id: string) => Buffer)[] = [
    (id) => requestBytes(rig.signed(id, '{}'), '{}'),
    (id) => requestBytes(rig.signed(id, '{}'), '{}', { isChunked: true }),
    (id) => requestBytes(rig.signed(id, '{}', 'forged'), '{}'),
    (id) => requestBytes({ ...rig.signed(id, '{}'), ...websocket }, '{}'),
    (id) => requestBytes({ ...rig.signed(id, '{}'), Connection: 'close' }, '{}'),
    (id) => requestBytes(rig.signed(id, 'x'.repeat(70_000)), 'x'.repeat(70_000)),
    (id) => requestBytes({ ...rig.signed(id, ''), ...websocket }, ''),
  ];
  const junk: fc.Arbitrary<Buffer> = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom(
        'garbage\r\n\r\n',
        '\r\n\r\n',
        'POST / HTTP/9.9\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
        'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal',
        'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
        'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
        'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
        `POST / HTTP/1.1\r\nX-A: ${'b'.repeat(20_000)}`,
        '0\r\n\r\n',
        '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      )
      .map((text) => Buffer.from(text, 'latin1')),
  );

  it('is what is kept as its answer, whatever comes behind a delivery and however it is cut', async () => {
    let count = 0;
    const kind = fc.nat(requests.length - 1);
    const behind = fc.array(fc.oneof(kind, junk), { maxLength: 3 });
    const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(kind, behind, places, fc.boolean(), async (first, more, at, endsAtOnce) => {
        const parts = [first, ...more].map((one) =>
          typeof one === 'number' ? requests[one]!(`r-${(count += 1)}`) : one,
        );
        const { statuses } = await converse(rig.port, cutAt(Buffer.concat(parts), at), { endsAtOnce });
        assert.equal(differs(rig, statuses), undefined);
        assert.ok(statuses.length > 0, 'nothing was answered');
      }),
      { numRuns: 100 },
    );
    // An answer that takes longer is waited for, too.
    rig.configure({ forwardTo: app.url, forwardMode: 'passThrough' });
    await fc.assert(
      fc.asyncProperty(kind, junk, places, async (first, more, at) => {
        const parts = cutAt(Buffer.concat([requests[first]!(`r-${(count += 1)}`), more]), at);
        const { statuses } = await converse(rig.port, parts);
        assert.equal(differs(rig, statuses), undefined);
        assert.ok(statuses.length > 0, 'nothing was answered');
      }),
      { numRuns: 30 },
    );
    rig.configure({ forwardMode: 'afterAck' });
    assert.equal((await rig.deliver('alive')).status, 200);
  });

  it('is an answer to each request behind an offer to upgrade, which is kept as it came', async () => {
    const [, , , offer, , , empty] = requests.map((make, index) => make(`r-${index}`));
    const parts = [offer!, requests[0]!('r-10'), empty!, requests[5]!('r-11')];
    const { statuses } = await converse(rig.port, [Buffer.concat(parts)], { endsAtOnce: true });
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    const kept = rig.list().reverse();
    assert.deepEqual(
      kept.map(({ requestId, verdict, headers }) => [requestId, verdict, headers['upgrade']]),
      [
        ['r-3', 'verified', 'websocket'],
        ['r-10', 'verified', undefined],
        ['r-6', 'verified', 'websocket'],
        ['r-11', 'verified', undefined],
      ],
    );
  });

  describe('of a request that is refused', () => {
    const mebibyte = 1 << 20;
    const refusals: [status: number, headers: Record<string, string>, method: string][] = [
      [413, {}, 'POST'],
      [403, { Origin: 'http://example.test' }, 'POST'],
      [417, { Expect: 'a miracle' }, 'POST'],
      ...['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map(
        (method): [number, Record<string, string>, string] => [405, {}, method],
      ),
    ];

    it('is its status, although its sender writes all before it reads', async () => {
      rig.configure({ maxBodyBytes: mebibyte });
      const size = fc.oneof(fc.nat(2000), fc.integer({ min: 1, max: 4 * mebibyte }));
      const connection = fc.constantFrom('close', 'keep-alive');
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...refusals),
          size,
          connection,
          fc.boolean(),
          async ([status, headers, method], bytes, Connection, isChunked) => {
            const body = Buffer.alloc(status === 413 ? mebibyte + 1 + bytes : bytes, 'x');
            const sent = requestBytes({ ...headers, Connection }, body, { method, isChunked });
            const parts = cutAt(sent, [0.25, 0.5, 0.75]);
            const { statuses, error } = await converse(rig.port, parts, { readsLast: true });
            assert.deepEqual({ statuses, error }, { statuses: [status], error: undefined });
          },
        ),
        { numRuns: 60 },
      );
      assert.deepEqual(rig.list(), []);
    });

    it('is its status where the parser refuses it, with all that comes behind', async () => {
      const heads: [number, string][] = [
        [431, `POST / HTTP/1.1\r\nHost: x\r\nX-A: ${'b'.repeat(20_000)}`],
        [400, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 2\r\n\r\n'],
        [400, 'POST / HTTP/1.1\r\nContent-Length: 3000000\r\nConnection: close\r\n\r\n'],
        [405, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
      ];
      for (const [status, head] of heads) {
        const parts = [Buffer.from(head), ...cutAt(Buffer.alloc(3_000_000, 'x'), [0.3, 0.6])];
        const { statuses, error } = await converse(rig.port, parts, { readsLast: true });
        assert.deepEqual({ statuses, error }, { statuses: [status], error: undefined });
      }
    });

    it('is told, by whomever it was refused', async () => {
      const texts = [
        'hello\r\n\r\n',
        `POST / HTTP/1.1\r\nHost: x\r\nX-A: ${'b'.repeat(20_000)}\r\n\r\n`,
        'POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nContent-Length: 0\r\n\r\n',
        'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
        'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n',
      ];
      for (const text of texts) {
        await converse(rig.port, [Buffer.from(text)], { endsAtOnce: true });
      }
      assert.deepEqual(
        rig.refused.map(({ status, method }) => [status, method]),
        [
          [400, ''],
          [431, ''],
          [400, 'POST'],
          [417, 'POST'],
          [405, 'CONNECT'],
          [405, 'PUT'],
        ],
      );
      assert.ok(rig.refused.every(({ reason }) => reason !== ''));
      assert.deepEqual(rig.brokenOff, []);
    });

    it('comes when its body goes no further', async () => {
      await rig.end();
      rig = await new ListenerRig({ limits: { tick: 20, patience: 60 } }).start();
      const head = Buffer.from('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 500000000\r\n\r\n');
      assert.deepEqual((await converse(rig.port, [head])).statuses, [405]);
    });
  });
});
