import type { JsonPath } from '../../model/json/jsonCursor.ts';
import type { TextPlace } from '../../model/text/textPlace.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { type Expectation, type VariantName, variantNames } from '../fixture/fixtureSchema.ts';

/** A delivery of a fixture as it is to be sent, and what is expected of it. */
export interface Variant {
  kind: VariantName;
  /** The kind, with a number where a file names it more than once: each of a fixture has another name. */
  name: string;
  expect: Expectation;
  /** What is expected of the first of two deliveries, where there are two. */
  first: Expectation;
  /**
   * What is expected beyond `expect`. `taken`: nothing. `same`: what the app says afterwards is what it said before: after
   * the first of two, or before what it refused. `refused`: the same, and not by 404, which the service repeats.
   */
  rule: 'taken' | 'same' | 'refused';
  /** Where in the file the expectation is written. */
  path: JsonPath;
  place: TextPlace;
}

/** What the variants of a fixture are, in the order in which they are sent. */
export function variantsOf(fixture: Fixture): Variant[] {
  const { variants = ['as it is'], placeOf } = fixture;
  const counts = new Map<VariantName, number>();
  const listed = variants === 'all' ? variantNames : variants;
  return listed.map((one, index) => {
    const kind = typeof one === 'string' ? one : one.name;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = count === 1 ? kind : `${kind} ${count}`;
    const own = typeof one === 'string' ? undefined : one.expect;
    const at: JsonPath = variants === 'all' ? ['variants'] : ['variants', index];
    if (own !== undefined) {
      const { within } = fixture.expect;
      const first = within === undefined ? {} : { within };
      const path = [...at, 'expect'];
      return { kind, name, expect: { ...first, ...own }, first, rule: 'taken', path, place: placeOf(path) };
    }
    const isOfFile = kind === 'as it is' && Object.keys(fixture.expect).length > 0;
    const path = isOfFile ? ['expect'] : at;
    return { kind, name, path, place: placeOf(path), ...sensible(kind, fixture.expect) };
  });
}

/** What a variant has to come to where the file does not say. */
function sensible(kind: VariantName, whole: Expectation): Pick<Variant, 'expect' | 'first' | 'rule'> {
  const { status = '2xx', within, after } = whole;
  const asItIs = { ...whole, status };
  const limits = { ...(within !== undefined && { within }), ...(after && { after }) };
  // The service takes any 2xx for a success; of a repeat the app may say another than of the first.
  const taken = String(status).startsWith('2') ? '2xx' : status;
  switch (kind) {
    case 'as it is':
      return { rule: 'taken', first: {}, expect: asItIs };
    // All variants have one request id: the first of two may be a repeat of one before.
    case 'repeat':
      return { rule: 'same', first: { ...limits, status: taken }, expect: { ...limits, status: taken } };
    // What the app says afterwards is of two deliveries then.
    case 'out-of-order': {
      const expect = { ...(within !== undefined && { within }), status: taken };
      return { rule: 'taken', first: expect, expect };
    }
    default:
      return { rule: 'refused', first: {}, expect: { ...limits, status: '4xx' } };
  }
}

/** Whether a variant is nothing without a signature. */
export function needsSecret({ kind }: Variant): boolean {
  return ['bad-signature', 'stale', 'body-changed', 'missing-header'].includes(kind);
}
