import type { JsonPath } from '../../shared/json/jsonCursor.ts';
import { t } from '../../shared/text/l10n.ts';
import type { TextPlace } from '../../shared/text/textPlace.ts';
import type { Fixture } from '../fixture/fixture.ts';
import { type Expectation, type VariantName, variantNames } from '../fixture/fixtureSchema.ts';
import { defaultSettling } from './afterwards.ts';

/** A delivery of a fixture as it is to be sent, and what is expected of it. */
export interface Variant {
  kind: VariantName;
  /** The kind, with a number if the file lists it more than once: unique within a fixture. */
  name: string;
  expect: Expectation;
  /** The expectation for the delivery before the tested one, if the variant sends one. */
  first: Expectation;
  /**
   * What is expected beyond `expect`. `taken`: nothing. `same`: the app's state afterwards is as it was after the
   * first of two deliveries. `once`: two at once change it as much as one alone did before. `refused`: the state is as it was before the delivery, and the app does not refuse it
   * with 404, which the service repeats.
   */
  rule: 'taken' | 'same' | 'once' | 'refused';
  /** Where in the file the expectation is written. */
  path: JsonPath;
  place: TextPlace;
}

/** The name of a variant as people read it. */
export function variantText(name: string): string {
  return name.replace(/^as it is(?= \d+$|$)/, t('as delivered'));
}

/** The variants of a fixture, in the order in which they are sent. */
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

/** The default expectations of a variant, for which the file has none of its own. */
function sensible(kind: VariantName, whole: Expectation): Pick<Variant, 'expect' | 'first' | 'rule'> {
  const { status = '2xx', within, after } = whole;
  const asItIs = { ...whole, status };
  const limits = { within, after };
  // The service takes any 2xx for a success, and the app may answer a repeat with another 2xx than the first.
  const taken = /^2\w\w$/.test(String(status)) ? '2xx' : status;
  switch (kind) {
    case 'as it is':
      return { rule: 'taken', first: {}, expect: asItIs };
    // All variants share one request id: even the first of two may repeat a delivery of an earlier variant.
    case 'repeat':
      return { rule: 'same', first: { ...limits, status: taken }, expect: { ...limits, status: taken } };
    // A state after several deliveries is not what the file expects after one.
    case 'concurrent': {
      const asked =
        after === undefined ? undefined : { get: after.get, status: after.status, within: after.within };
      const expect = { within, status: taken, after: asked };
      return { rule: 'once', first: expect, expect };
    }
    // Without `after`: the state of the app afterwards comes from two deliveries.
    case 'out-of-order': {
      const expect = { within, status: taken };
      return { rule: 'taken', first: expect, expect };
    }
    default:
      return { rule: 'refused', first: {}, expect: { ...limits, status: '4xx' } };
  }
}

/** Whether a variant makes no sense without a signature. */
export function needsSecret({ kind }: Variant): boolean {
  return ['bad-signature', 'stale', 'body-changed', 'missing-header'].includes(kind);
}

/** The longest time that a file may set, in milliseconds. */
const longMs = 600_000;

/** The same variant with the longest time limits: an app that is debugged may stop at a breakpoint. */
export function patient(variant: Variant): Variant {
  return { ...variant, expect: unhurried(variant.expect), first: unhurried(variant.first) };
}

/** Polls afterwards as long as the file says, at least the default time, not for minutes. One answer may be slow. */
function unhurried({ after, ...expect }: Expectation): Expectation {
  if (after === undefined) return { ...expect, within: longMs };
  const { within = 0, ...asked } = after;
  return { ...expect, within: longMs, after: within > defaultSettling ? after : asked };
}
