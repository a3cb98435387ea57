import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeliveryStore } from '../../../src/listener/store/deliveryStore.ts';
import { repeatHash } from '../../../src/listener/store/repeatTable.ts';
import { add, kept, refused } from '../../support/listener/storeRig.ts';
import type { Target } from '../target.ts';

const fileSuffixes = ['', '-wal', '-shm'] as const;

/** The ways to damage the files. An input is a list of damages, each with a position and bytes. */
const damages: readonly ((files: Map<string, Buffer>, place: number, bytes: Buffer) => void)[] = [
  (files, place, bytes) => overwrite(files, '', place, bytes),
  (files, place, bytes) => overwrite(files, '-wal', place, bytes),
  (files, place) => truncate(files, '', place),
  (files, place) => truncate(files, '-wal', place),
  (files, _place, bytes) => files.set('', Buffer.concat([files.get('') ?? bytes, bytes])),
  (files, _place, bytes) => files.set('-wal', Buffer.concat([files.get('-wal') ?? bytes, bytes])),
  (files, _place, bytes) => files.set('', bytes),
  (files, _place, bytes) => files.set('-wal', bytes),
  (files) => files.delete('-wal'),
  (files) => files.delete(''),
];

/**
 * Damaged files of a program that was killed: the store must not throw, must keep what it acknowledges, and must set
 * broken files aside instead of removing them.
 */
export function storeTarget(): Target {
  const folder = fs.mkdtempSync(join(tmpdir(), 'runhook-fuzz-'));
  const path = join(folder, 'deliveries.sqlite');
  const setAside: string[] = [];
  const problems: string[] = [];
  const open = (): DeliveryStore =>
    new DeliveryStore({
      folder,
      keep: 1000,
      now: () => 1_790_000_000_000 + count,
      onProblem: (problem) => problems.push(problem?.message ?? 'well again'),
      onSetAside: (aside) => setAside.push(aside),
      onChanged: () => undefined,
    });
  let count = 0;
  const intactFiles = filesAfterKill(folder, open);
  return {
    name: 'store',
    seeds: [
      Buffer.from([0, 0, 0, 100, 255]),
      Buffer.from([0, 60, 0, 200, 1, 1, 0, 20, 9]),
      Buffer.from([2, 128, 0, 0, 3, 64, 0, 0]),
      Buffer.from([6, 0, 0, 200, ...Buffer.from('SQLite format 3\0')]),
    ],
    tokens: ['SQLite format 3\0', '\x37\x7f\x06\x82', '\0\0\0\0', '\x0d\0\0\0', '\x10\0\x02\x02'],
    check: (input) => {
      for (const name of fs.readdirSync(folder)) fs.rmSync(join(folder, name));
      setAside.length = problems.length = 0;
      const files = new Map(intactFiles);
      for (let at = 0; at < input.length;) {
        const [harm = 0, high = 0, low = 0, length = 0] = input.subarray(at, at + 4);
        const bytes = input.subarray(at + 4, at + 4 + length);
        damages[harm % damages.length]?.(files, (high * 256 + low) / 65_536, bytes);
        at += 4 + length;
      }
      for (const [end, bytes] of files) fs.writeFileSync(path + end, bytes);
      const acknowledged = useDamagedStore(open(), (count += 1), problems);
      const aside = setAside.length;
      const next = open();
      next.trim();
      for (const id of acknowledged) {
        const isKept = next.page({}, 1000).deliveries.some((one) => one.id === id);
        assert.ok(isKept || setAside.length > aside, `${id} was acknowledged and is not kept`);
      }
      next.close();
      for (const one of setAside) assert.ok(fs.existsSync(one), 'what was broken is gone');
    },
    dispose: () => fs.promises.rm(folder, { recursive: true, force: true }),
  };
}

/** Uses a store on damaged files as a program does. @returns the ids that it acknowledged */
function useDamagedStore(store: DeliveryStore, round: number, problems: readonly string[]): string[] {
  store.trim();
  store.endForwards(() => undefined);
  store.page({}, 1000);
  store.changedAfter(0, 1000);
  store.noteRun({ runId: 'r-1', appName: 'app', startedAt: 1 });
  const body = Buffer.from('{"id":"a"}');
  store.firstOf({ path: '/', hash: repeatHash('r-a', body) });
  store.acceptedStatus('a');
  let acknowledged: string[] = [];
  // The store notices damage only when it uses that part of the file, so this may take several attempts.
  for (let tries = 0; acknowledged.length === 0; tries += 1) {
    // The store does not touch a file that seems to be of a newer version.
    if (/newer version of Runhook/.test(problems.at(-1) ?? '')) break;
    assert.ok(tries < 5, `it does not recover: ${problems.at(-1) ?? ''}`);
    const id = `n-${round}-${tries}`;
    if (add(store, kept(id))[0] === true) acknowledged = [id];
  }
  store.close();
  return acknowledged;
}

/** The files as a killed program leaves them. */
function filesAfterKill(folder: string, open: () => DeliveryStore): Map<string, Buffer> {
  const first = open();
  first.trim();
  add(first, ...Array.from({ length: 30 }, (_, index) => kept(`first-${index}`)));
  first.close();
  const store = open();
  store.trim();
  add(store, kept('a'), refused('b'), kept('c', { repeatOf: 'a' }));
  add(
    store,
    { ...kept('d'), forwardTo: 'http://127.0.0.1/' },
    { ...kept('e'), forwardTo: 'http://127.0.0.1/' },
  );
  store.note({ id: 'a', attempt: { kind: 'forward', to: 'http://127.0.0.1/', status: 200, durationMs: 3 } });
  store.noteRun({ runId: 'r-1', appName: 'app', startedAt: 1 });
  store.flush();
  const files = new Map<string, Buffer>();
  for (const end of fileSuffixes) {
    const file = join(folder, `deliveries.sqlite${end}`);
    if (end !== '-shm') files.set(end, fs.readFileSync(file));
  }
  store.close();
  return files;
}

/** @param place from 0 to 1 */
function overwrite(files: Map<string, Buffer>, end: string, place: number, bytes: Buffer): void {
  const harmed = Buffer.from(files.get(end) ?? bytes);
  bytes.copy(harmed, Math.floor(place * harmed.length));
  files.set(end, harmed);
}

function truncate(files: Map<string, Buffer>, end: string, place: number): void {
  const bytes = files.get(end) ?? Buffer.alloc(0);
  files.set(end, bytes.subarray(0, Math.floor(place * bytes.length)));
}
