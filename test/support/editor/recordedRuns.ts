import type * as vscode from 'vscode';

type Outcome = 'passed' | 'failed' | 'errored' | 'skipped';

interface RecordedMessage {
  text: string;
  expected: string | undefined;
  actual: string | undefined;
  /** From 0. */
  line: number | undefined;
  /** The names of the places in the code that it leads to. */
  stack: string[];
}

/** What a test run reported to the Test view. */
interface RecordedRun {
  outcomes: { label: string; outcome: Outcome; messages: readonly RecordedMessage[] }[];
  output: string;
  coverage: vscode.FileCoverage[];
  ended: boolean;
}

/** Wraps a test controller to record what its runs report. */
export class RecordedRuns {
  readonly all: RecordedRun[] = [];
  readonly controller: vscode.TestController;

  constructor(controller: vscode.TestController) {
    this.controller = Object.assign(Object.create(controller) as vscode.TestController, {
      createTestRun: (request: vscode.TestRunRequest) => this.#record(controller.createTestRun(request)),
    });
  }

  get last(): RecordedRun {
    const last = this.all.at(-1);
    if (last === undefined) throw new Error('Nothing was run.');
    return last;
  }

  #record(run: vscode.TestRun): vscode.TestRun {
    const kept: RecordedRun = { outcomes: [], output: '', coverage: [], ended: false };
    this.all.push(kept);
    const keep = (item: vscode.TestItem, outcome: Outcome, ...messages: vscode.TestMessage[]): void => {
      kept.outcomes.push({ label: item.label, outcome, messages: messages.map(recordedMessage) });
    };
    return {
      token: run.token,
      enqueued: (item) => run.enqueued(item),
      started: (item) => run.started(item),
      passed: (item, ms) => {
        keep(item, 'passed');
        run.passed(item, ms);
      },
      failed: (item, messages, ms) => {
        keep(item, 'failed', ...[messages].flat());
        run.failed(item, messages, ms);
      },
      errored: (item, messages, ms) => {
        keep(item, 'errored', ...[messages].flat());
        run.errored(item, messages, ms);
      },
      skipped: (item) => {
        keep(item, 'skipped');
        run.skipped(item);
      },
      appendOutput: (text, location, item) => {
        kept.output += text;
        run.appendOutput(text, location, item);
      },
      addCoverage: (coverage) => {
        kept.coverage.push(coverage);
        run.addCoverage(coverage);
      },
      end: () => {
        kept.ended = true;
        run.end();
      },
      name: run.name,
      isPersisted: run.isPersisted,
      onDidDispose: run.onDidDispose,
    };
  }
}

function recordedMessage({
  message,
  expectedOutput,
  actualOutput,
  location,
  stackTrace,
}: vscode.TestMessage): RecordedMessage {
  return {
    text: typeof message === 'string' ? message : message.value.replace(/\\(?=[!-~])/g, ''),
    expected: expectedOutput,
    actual: actualOutput,
    line: location?.range.start.line,
    stack: (stackTrace ?? []).map(({ label, position }) => `${label}:${position?.character}`),
  };
}
