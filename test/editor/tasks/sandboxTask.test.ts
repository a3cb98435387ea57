import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Sandbox } from '../../../src/editor/sandbox/feature.ts';
import { sandboxWork } from '../../../src/editor/tasks/backgroundTasks.ts';
import type { WebhookAttempt } from '../../../src/model/service/webhookAttempt.ts';

describe('the task that serves the sandbox', () => {
  const attempted = new vscode.EventEmitter<WebhookAttempt>();
  const changed = new vscode.EventEmitter<never>();
  after(() => {
    attempted.dispose();
    changed.dispose();
  });

  const attempt = (requestId: string, status: number): WebhookAttempt => ({
    ...{ runId: 'run-1', appName: 'echo', requestId, to: 'http://127.0.0.1:3000/', status },
    ...{ at: '2026-11-20T12:00:00.000Z', number: 1, durationMs: 2, outcome: 'delivered' },
  });

  it('writes a line for each attempt, two of one run at once too', async () => {
    const address = { baseUrl: 'http://127.0.0.1:4100', projectId: 'p-sandbox', apps: [] };
    const sandbox = {
      state: { kind: 'running', address },
      onDidChangeState: changed.event,
      onDidAttempt: attempted.event,
      start: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    } as unknown as Sandbox;
    const written: string[] = [];
    const abort = new AbortController();
    const ended = sandboxWork(sandbox)({
      write: (lines) => void written.push(...lines),
      signal: abort.signal,
    });
    await new Promise((resolve) => setImmediate(resolve));
    attempted.fire(attempt('first', 201));
    attempted.fire(attempt('second', 202));
    abort.abort();
    assert.equal(await ended, true);
    const lines = written.flatMap((line) => /echo {2}run-1 .* (20\d) /.exec(line)?.[1] ?? []);
    assert.deepEqual(lines, ['201', '202']);
  });
});
