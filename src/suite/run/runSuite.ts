import { createHash } from 'node:crypto';
import type { FailurePlace } from '../../contract/delivery.ts';
import type { Fixture } from '../fixture/fixture.ts';
import type { FixtureError } from '../fixture/readFixture.ts';
import type { SuiteApp } from './afterwards.ts';
import { type UnmetExpectation, runVariant } from './runVariant.ts';
import type { Exchange } from './exchange.ts';
import type { Variant } from './variant.ts';

/** A variant of a fixture as one test. */
export interface SuiteTest {
  /** The path of the file, as shown to the user. */
  file: string;
  /** The file's name without its ending. */
  fixture: string;
  read: { fixture: Fixture; variant: Variant } | { problem: FixtureError };
}

/** The result of a test. `broken`: the file is not a valid fixture, and nothing was sent. */
export interface TestResult {
  file: string;
  fixture: string;
  /** Empty if the file is broken. */
  variant: string;
  /** The line of the first expectation that was not met, else of the test; from 1. */
  line: number;
  outcome: 'passed' | 'failed' | 'broken';
  durationMs: number;
  failures: readonly UnmetExpectation[];
  exchanges: readonly Exchange[];
  /** Where the handler failed, if it told it: in what it wrote, where it was started here, or in its response. */
  failedAt?: FailurePlace;
}

/** Whether a test has one of these names, or its fixture has. */
export function isNamed({ fixture, read }: SuiteTest, names: readonly string[]): boolean {
  return names.includes(fixture) || ('variant' in read && names.includes(read.variant.name));
}

/** The last delivery that was sent, and what the handler answered. */
export function lastSent({ exchanges }: Pick<TestResult, 'exchanges'>): Exchange | undefined {
  return exchanges.findLast(({ request }) => !request.startsWith('GET '));
}

/** The last status that the handler answered a delivery with. */
export function lastStatus(result: Pick<TestResult, 'exchanges'>): number | undefined {
  return lastSent(result)?.answer?.status;
}

/**
 * Runs tests one after the other, since the state of an app depends on earlier deliveries.
 * @param run a name that no other run has, from which request ids are made for fixtures without one
 * @throws what {@link runVariant} throws
 */
export async function* runSuite(
  tests: Iterable<SuiteTest>,
  run: string,
  app: SuiteApp,
): AsyncGenerator<TestResult> {
  for (const { file, fixture: name, read } of tests) {
    if ('problem' in read) {
      yield brokenResult(file, name, read.problem);
      continue;
    }
    const { fixture, variant } = read;
    const result = await runVariant(fixture, variant, requestIdOf(run, file), app);
    const { line } = result.failures[0]?.place ?? variant.place;
    yield { file, fixture: name, variant: variant.name, line: line + 1, ...result };
  }
}

/** The request id of a fixture that has none: the same for all its variants in one run, but new in each run. */
function requestIdOf(run: string, file: string): string {
  return createHash('sha256').update(`${run}\0${file}`).digest('hex').slice(0, 32);
}

function brokenResult(file: string, fixture: string, { message, place }: FixtureError): TestResult {
  const failures = [{ message, expected: '', actual: '', place }];
  return {
    file,
    fixture,
    variant: '',
    line: place.line + 1,
    outcome: 'broken',
    durationMs: 0,
    failures,
    exchanges: [],
  };
}
