import { basename } from 'node:path';
import { failureText } from '../../model/service/failureReason.ts';
import { t } from '../../model/text/l10n.ts';
import { fixtureEnding, top } from '../fixture/fixture.ts';
import { FixtureError } from '../fixture/fixtureProblem.ts';
import { largestFile, readFixture } from '../fixture/readFixture.ts';
import type { SuiteTest } from '../run/runSuite.ts';
import { variantsOf } from '../run/variant.ts';
import { givenText } from './givenBytes.ts';

/** The tests of a fixture file: one for each variant, or a single broken one if the file is no valid fixture. */
export function testsOf(file: string): SuiteTest[] {
  return testsIn(file, () => givenText(file, largestFile));
}

/**
 * The same for a file whose text the caller reads, such as one that is open in an editor.
 * @param file its path, as shown to the user
 */
export function testsIn(file: string, text: () => string): SuiteTest[] {
  const fixture = fixtureTitle(file);
  try {
    const read = readFixture(text(), file);
    return variantsOf(read).map((variant) => ({ file, fixture, read: { fixture: read, variant } }));
  } catch (error) {
    const problem =
      error instanceof FixtureError ? error : new FixtureError(failureText(error), top, { cause: error });
    return [{ file, fixture, read: { problem } }];
  }
}

/** The error for a file that is too large to be read. */
export function tooLarge(): FixtureError {
  return new FixtureError(t('It is larger than {0} MiB.', largestFile / 1024 / 1024), top);
}

/** The title of a fixture: the name of its file, without the ending. */
export function fixtureTitle(file: string): string {
  const name = basename(file);
  return name.endsWith(fixtureEnding) ? name.slice(0, -fixtureEnding.length) : name.replace(/\.json$/, '');
}
