import { durationText } from '../../model/text/durationText.ts';
import type { TestResult } from '../../suite/run/runSuite.ts';
import { printJson, printLine } from '../print.ts';

/** Prints a line for each test, more lines for one that fails, and a summary. */
export class ResultPrinter {
  readonly #isJson: boolean;
  readonly #started = performance.now();
  /** The width of the column of fixture names, so that the variants line up. */
  readonly #width: number;

  /** @param names the names of the fixtures */
  constructor(names: readonly string[], isJson: boolean) {
    this.#isJson = isJson;
    this.#width = Math.min(40, Math.max(0, ...names.map(({ length }) => length)));
  }

  print(result: TestResult): void {
    if (this.#isJson) printJson(dataOf(result));
    else for (const line of this.#lines(result)) printLine(line);
  }

  /** @param notRun how many tests were left when the run ended early */
  end(results: readonly TestResult[], notRun: number): void {
    const passed = results.filter(({ outcome }) => outcome === 'passed').length;
    const failed = results.length - passed;
    const durationMs = Math.round(performance.now() - this.#started);
    if (this.#isJson) {
      printJson({ summary: { passed, failed, notRun, durationMs } });
      return;
    }
    const left = notRun === 0 ? '' : `, ${notRun} not run`;
    printLine(`${passed} passed, ${failed} failed${left}, in ${durationText(durationMs)}`);
  }

  #lines({ file, fixture, variant, line, outcome, durationMs, failures, exchanges }: TestResult): string[] {
    const head = `${outcome === 'passed' ? '✓' : '✗'} ${fixture.padEnd(this.#width)}  ${variant.padEnd(14)}`;
    if (outcome === 'passed') {
      const status = exchanges.findLast(({ request }) => !request.startsWith('GET '))?.answer?.status;
      return [`${head}  ${status ?? ''} in ${durationText(durationMs)}`];
    }
    return failures.flatMap(({ message, cause }, index) => [
      index === 0 ? `${head}  ${message}` : `    ${message}`,
      ...(cause === undefined ? [] : [`    ${cause}`]),
      ...(index === failures.length - 1 ? [`    ${file}:${line}`] : []),
    ]);
  }
}

/** A result as data for a program. */
function dataOf({ exchanges, failures, ...result }: TestResult) {
  return {
    ...result,
    failures: failures.map(({ place, ...failure }) => ({ ...failure, line: place.line + 1 })),
    answers: exchanges.map(({ request, durationMs, answer }) => ({
      request,
      durationMs,
      ...(answer && { status: answer.status }),
    })),
  };
}
