import * as vscode from 'vscode';
import { CodeMeter } from '../../suite/coverage/codeMeter.ts';
import { lineHits } from '../../suite/coverage/lineHits.ts';
import { windowFiles } from '../kit/windowFiles.ts';
import { type DebuggedApp, notInNode } from '../debug/feature.ts';

/** A handler that runs for one round of tests, and which of its lines each test reached. */
export class HandlerCoverage {
  readonly #meter: CodeMeter;
  readonly #files = new Map<string, CoveredFile>();
  #end: (() => void) | undefined;

  private constructor(meter: CodeMeter) {
    this.#meter = meter;
  }

  /** Starts the handler. @throws UserError if it does not start, or not in Node */
  static async start(
    app: DebuggedApp,
    to: readonly [URL, ...URL[]],
    signal: AbortSignal,
  ): Promise<HandlerCoverage> {
    const meter = await CodeMeter.open();
    const coverage = new HandlerCoverage(meter);
    try {
      const { name, end } = await app.startWith(meter.variables, to, signal);
      coverage.#end = end;
      if (!(await meter.measures())) throw notInNode(name);
      await coverage.add(undefined, signal);
      return coverage;
    } catch (error) {
      await coverage.end();
      throw error;
    }
  }

  /** Adds what ran since the last time. @param item the test that it ran for; absent: it ran at the start */
  async add(item: vscode.TestItem | undefined, signal: AbortSignal): Promise<void> {
    const workspace = await windowFiles();
    for (const taken of await this.#meter.take(signal)) {
      for (const [path, lines] of await lineHits(taken, workspace)) {
        const file = this.#files.get(path) ?? new CoveredFile(path);
        this.#files.set(path, file);
        file.add(lines, item);
      }
    }
  }

  /** Ends the handler. @param run is told which lines ran */
  async end(run?: vscode.TestRun): Promise<void> {
    for (const file of this.#files.values()) run?.addCoverage(file);
    this.#end?.();
    await this.#meter.close();
  }
}

/** A file of the handler, with how often its lines ran: in all, and for each test. */
class CoveredFile extends vscode.FileCoverage {
  readonly #lines = new Map<number, number>();
  readonly #atStart = new Map<number, number>();
  readonly #ofTests = new Map<vscode.TestItem, Map<number, number>>();

  constructor(path: string) {
    super(vscode.Uri.file(path), new vscode.TestCoverageCount(0, 0));
  }

  /** @param item absent: what ran at the start of the handler */
  add(lines: ReadonlyMap<number, number>, item?: vscode.TestItem): void {
    addCounts(this.#lines, lines);
    const counts = [...this.#lines.values()];
    this.statementCoverage = new vscode.TestCoverageCount(
      counts.filter((one) => one > 0).length,
      counts.length,
    );
    if (item === undefined) {
      addCounts(this.#atStart, lines);
    } else if ([...lines.values()].some((count) => count > 0)) {
      this.#ofTests.set(item, addCounts(this.#ofTests.get(item) ?? new Map<number, number>(), lines));
      this.includesTests = [...this.#ofTests.keys()];
    }
  }

  /** How often each line ran. @param item for that test alone, without the lines that had run at the start */
  details(item?: vscode.TestItem): vscode.StatementCoverage[] {
    const counts = item === undefined ? this.#lines : this.#ofTests.get(item);
    return [...this.#lines.keys()].flatMap((line) => {
      const count = counts?.get(line) ?? 0;
      if (item !== undefined && count === 0 && (this.#atStart.get(line) ?? 0) > 0) return [];
      return new vscode.StatementCoverage(count, new vscode.Position(line, 0));
    });
  }
}

/** How often each line of a covered file ran. */
export function detailsOf(file: vscode.FileCoverage, item?: vscode.TestItem): vscode.StatementCoverage[] {
  return file instanceof CoveredFile ? file.details(item) : [];
}

function addCounts(to: Map<number, number>, lines: ReadonlyMap<number, number>): Map<number, number> {
  for (const [line, count] of lines) to.set(line, (to.get(line) ?? 0) + count);
  return to;
}
