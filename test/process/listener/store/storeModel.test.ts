import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import { repeatHash } from '../../../../src/listener/store/repeatTable.ts';
import { add, kept, refused, StoreRig } from '../../../support/listener/storeRig.ts';

const to = 'http://127.0.0.1/';

/** A delivery as the list in memory has it. */
interface Modelled {
  id: string;
  kind: 'taken' | 'waiting' | 'refused';
  repeatOf?: string;
  appName?: string;
  statuses: number[];
}

/** What the store has to hold: a list, the oldest first, and the first of each delivery that verified. */
class Model {
  list: Modelled[] = [];
  readonly firsts = new Map<string, string>();
  keep = 3;

  /** The newest of each kind stay: refused ones up to a fifth of the limit, waiting ones up to four times as many. */
  trim(): void {
    const most = {
      taken: this.keep,
      waiting: 4 * this.keep,
      refused: Math.max(1, Math.floor(this.keep / 5)),
    };
    for (const [kind, limit] of Object.entries(most)) {
      const ofKind = this.list.filter((one) => one.kind === kind);
      const gone = new Set(ofKind.slice(0, Math.max(0, ofKind.length - limit)));
      this.list = this.list.filter((one) => !gone.has(one));
    }
  }

  newest(matches: (one: Modelled) => boolean): string[] {
    const found = this.list.filter(matches).map(({ id }) => id);
    return found.reverse().slice(0, this.keep);
  }
}

const step = fc.oneof(
  fc.record({
    does: fc.constant('add' as const),
    request: fc.constantFrom('r-1', 'r-2', 'r-3'),
    text: fc.constantFrom('{}', '[]'),
    waits: fc.boolean(),
  }),
  fc.record({ does: fc.constant('refuse' as const) }),
  fc.record({
    does: fc.constant('note' as const),
    which: fc.nat(),
    kind: fc.constantFrom('forward' as const, 'replay' as const),
    status: fc.constantFrom(200, 204, 500),
  }),
  fc.record({ does: fc.constant('name' as const), which: fc.nat() }),
  fc.record({ does: fc.constant('keep' as const), most: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ does: fc.constantFrom('clear' as const, 'reopen' as const, 'other' as const) }),
);

describe('the store, beside a list in memory that is told the same', () => {
  it('holds what the list holds, whatever is added, noted, cleared and opened again', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
        const rig = new StoreRig();
        try {
          follow(rig, steps);
        } finally {
          rig.end();
        }
      }),
      { numRuns: 60 },
    );
  }).timeout(120_000);
});

type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** Takes the steps in two programs on one file, and compares after each. */
function follow(rig: StoreRig, steps: readonly Step[]): void {
  const model = new Model();
  let [here, other] = [rig.store(model.keep), rig.store(model.keep)];
  let count = 0;
  const anyOf = (which: number): Modelled | undefined => model.list[which % Math.max(1, model.list.length)];
  for (const one of steps) {
    switch (one.does) {
      case 'add': {
        const id = `d-${(count += 1)}`;
        const body = Buffer.from(one.text);
        const hash = repeatHash(one.request, body);
        const key = `${one.request} ${one.text}`;
        const repeatOf = here.firstOf({ path: '/', hash })?.id;
        assert.equal(repeatOf, model.firsts.get(key), `the first of ${key}`);
        if (repeatOf === undefined) model.firsts.set(key, id);
        const recognised = { hash, until: Number.MAX_SAFE_INTEGER };
        const rawHeaders = ['X-Request-Id', one.request];
        const forwardTo = one.waits ? to : undefined;
        add(here, { ...kept(id, { body, rawHeaders, repeatOf }), recognised, forwardTo });
        // A repeat has the app of its first.
        const appName = model.list.find((first) => first.id === repeatOf)?.appName;
        model.list.push({ id, kind: one.waits ? 'waiting' : 'taken', repeatOf, appName, statuses: [] });
        break;
      }
      case 'refuse': {
        const id = `d-${(count += 1)}`;
        add(here, refused(id));
        model.list.push({ id, kind: 'refused', statuses: [] });
        break;
      }
      case 'note': {
        const noted = anyOf(one.which);
        if (noted === undefined) break;
        here.note({ id: noted.id, attempt: { kind: one.kind, to, status: one.status, durationMs: 1 } });
        here.flush();
        noted.statuses.push(one.status);
        if (noted.kind === 'waiting' && one.kind === 'forward') noted.kind = 'taken';
        break;
      }
      case 'name': {
        const named = anyOf(one.which);
        if (named === undefined) break;
        here.note({ id: named.id, appName: 'echo' });
        here.flush();
        named.appName = 'echo';
        break;
      }
      case 'keep':
        model.keep = here.keep = other.keep = one.most;
        here.trim();
        break;
      case 'clear':
        here.clear();
        model.list = [];
        break;
      case 'reopen':
        here.close();
        here = rig.store(model.keep);
        break;
      case 'other':
        [here, other] = [other, here];
        break;
    }
    model.trim();
    compare(here, model);
  }
  compare(other, model);
  assert.deepEqual(rig.setAside, []);
}

function compare(store: DeliveryStore, model: Model): void {
  const idsOf = (filter: object) => store.page(filter, 1000).deliveries.map(({ id }) => id);
  assert.deepEqual(
    idsOf({}),
    model.newest(() => true),
  );
  assert.deepEqual(
    idsOf({ verdict: 'mismatch' }),
    model.newest(({ kind }) => kind === 'refused'),
  );
  assert.deepEqual(
    idsOf({ app: 'echo' }),
    model.newest(({ appName }) => appName === 'echo'),
  );
  assert.deepEqual(
    idsOf({ status: '5xx' }),
    model.newest(({ statuses }) => statuses.at(-1) === 500),
  );
  // A page has no more than may be kept, though others stay beside them.
  const stored = store.changedAfter(0, 1000).map((row) => row.delivery.id);
  assert.deepEqual(stored.sort(), model.list.map(({ id }) => id).sort());
  const newest = model.list.at(-1);
  if (newest === undefined) return;
  const { repeatOf, attempts = [] } = store.get(newest.id);
  assert.deepEqual([repeatOf, attempts.map(({ status }) => status)], [newest.repeatOf, newest.statuses]);
}
