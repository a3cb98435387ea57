import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Journal } from '../../../src/webhooks/journal.ts';
import { decodeRecord, encodeDelivery, encodeNote, toDelivery } from '../../../src/webhooks/record.ts';
import { runIdOf } from '../../../src/webhooks/runIdOf.ts';
import type { Target } from '../target.ts';

const marker = Buffer.from('0123456789abcdef', 'hex');
const payloads = [
  Buffer.concat(
    encodeDelivery({
      id: 'a-1',
      receivedAt: 1_790_000_000_000,
      verdict: 'verified',
      answered: 200,
      method: 'POST',
      path: '/?x=1',
      rawHeaders: ['Host', 'x', 'X-Request-Id', 'r-1', 'X-Service-Webhook-Timestamp', '1790000000'],
      body: Buffer.from('{"run_id":"r-1"}'),
    }),
  ),
  Buffer.concat(encodeNote({ id: 'a-1', forward: { to: 'http://127.0.0.1/', status: 200, durationMs: 3 } })),
  Buffer.from(''),
];
const written = new Set(payloads.map((payload) => payload.toString('latin1')));

function recordOf(payload: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(payload.length);
  head.writeUInt32LE(crc32(payload), 4);
  return Buffer.concat([marker, head, payload]);
}

/** A file of the journal: whatever happened to it, only what was written is read from it, and no throw. */
export function journalTarget(): Target {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-fuzz-'));
  const options = { folder, maxBytes: 1 << 30, onProblem: () => undefined, onRemoved: () => undefined };
  const file = join(folder, `000000000001-${marker.toString('hex')}-1.journal`);
  return {
    name: 'journal',
    seeds: [
      Buffer.concat(payloads.map(recordOf)),
      Buffer.concat([recordOf(payloads[0] ?? marker), Buffer.alloc(300)]),
    ],
    words: [marker.toString('latin1'), '\xff\xff\xff\xff', '\0\0\0\0'],
    read: (input) => {
      writeFileSync(file, input);
      const journal = new Journal(options);
      journal.load((payload, { segment }) => {
        segment.live += 1;
        assert.ok(written.has(payload.toString('latin1')), 'a record that nobody wrote');
      });
      journal.close();
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A record whose checksum is right, though a later or a broken version wrote it. */
export const recordTarget: Target = {
  name: 'record',
  seeds: payloads,
  words: ['\n', '\x01\x00', '\x02{"id":"a"}', '"forward":', '\xff\xff\xff\xff'],
  read: (input) => {
    const record = decodeRecord(input);
    if (record?.kind !== 'delivery') return;
    const delivery = toDelivery(record.delivery, {}, runIdOf(record.delivery.body));
    assert.equal(delivery.bytes, record.delivery.body.byteLength);
    JSON.stringify(delivery);
  },
};
