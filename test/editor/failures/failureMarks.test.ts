import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Attempt, Delivery } from '../../../src/contract/delivery.ts';
import { FailureMarks } from '../../../src/editor/failures/failureMarks.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';

describe('the marks of lines at which a handler failed', () => {
  const arrived = new vscode.EventEmitter<Delivery>();
  const changed = new vscode.EventEmitter<Delivery>();
  const forgotten = new vscode.EventEmitter<undefined>();
  let marks: FailureMarks;
  /** When the files were changed last. */
  let changedAt: number;

  beforeEach(() => {
    changedAt = Infinity;
    const listener = {
      onDidReceiveDelivery: arrived.event,
      onDidChangeDelivery: changed.event,
      onDidForget: forgotten.event as vscode.Event<never>,
    };
    marks = new FailureMarks(listener, () => changedAt);
  });
  afterEach(() => marks.dispose());

  const attempted = (id: number, attempt: Partial<Attempt>): void => {
    const at = '2026-11-26T12:00:00.000Z';
    const to = 'http://127.0.0.1:3000/';
    const whole: Attempt = { at, to, durationMs: 1, kind: 'forward', ...attempt };
    changed.fire({ ...deliveryOf(String(id)), attempts: [whole] });
  };
  const fail = (id: number, file = `/marks/${id}.js`): void =>
    attempted(id, { status: 500, failedAt: { file, line: 1, message: `Error ${id}` } });
  const marked = (): string[] =>
    vscode.languages
      .getDiagnostics()
      .flatMap(([{ path }, all]) => (path.startsWith('/marks/') ? all.map(({ message }) => message) : []));

  it('are those of the last hundred deliveries, of however many files', () => {
    for (let id = 0; id < 300; id += 1) fail(id);
    assert.deepEqual(
      marked().sort(),
      Array.from({ length: 100 }, (_, at) => `Error ${at + 200}`),
    );
    for (let id = 300; id < 600; id += 1) fail(id, '/marks/one.js');
    assert.deepEqual(marked().length, 100);
    // Those that failed again are the last ones.
    fail(500, '/marks/one.js');
    for (let id = 600; id < 699; id += 1) fail(id);
    assert.ok(marked().includes('Error 500') && !marked().includes('Error 501'));
  });

  it('end where the handler takes a delivery, or all are forgotten', () => {
    for (let id = 0; id < 3; id += 1) fail(id);
    attempted(9, { status: 200, to: 'http://127.0.0.1:4000/' });
    assert.equal(marked().length, 3);
    attempted(9, { status: 200 });
    assert.deepEqual(marked(), []);
    fail(1);
    forgotten.fire(undefined);
    assert.deepEqual(marked(), []);
  });

  it('stay where another delivery is taken and the file is as it was', () => {
    changedAt = 0;
    fail(1);
    attempted(2, { status: 200 });
    assert.deepEqual(marked(), ['Error 1']);
    attempted(1, { kind: 'replay', status: 200 });
    assert.deepEqual(marked(), []);
  });

  it('end where the same delivery fails otherwise, but not where no handler runs', () => {
    fail(1);
    fail(2);
    const later = '2026-11-26T12:00:01.000Z';
    attempted(1, { error: 'ECONNREFUSED', at: later });
    assert.deepEqual(marked().sort(), ['Error 1', 'Error 2']);
    attempted(1, { status: 500, at: later });
    assert.deepEqual(marked(), ['Error 2']);
  });

  it('end by an edited delivery where an edited one failed', () => {
    fail(1);
    attempted(1, {
      kind: 'edited',
      status: 500,
      failedAt: { file: '/marks/1.js', line: 2, message: 'Edited' },
    });
    assert.deepEqual(marked().sort(), ['Edited', 'Error 1']);
    attempted(2, { kind: 'edited', status: 200 });
    assert.deepEqual(marked(), ['Error 1']);
    attempted(1, { kind: 'replay', status: 200 });
    assert.deepEqual(marked(), []);
  });

  it('of edited ones end by any that is taken', () => {
    const failedAt = { file: '/marks/1.js', line: 2, message: 'Edited' };
    attempted(1, { kind: 'edited', status: 500, failedAt });
    assert.deepEqual(marked(), ['Edited']);
    attempted(1, { kind: 'replay', status: 200 });
    assert.deepEqual(marked(), []);
  });

  it('do not come back where a delivery is told again that failed before one was taken', () => {
    fail(1);
    attempted(2, { status: 200, at: '2026-11-26T12:01:00.000Z' });
    fail(1);
    assert.deepEqual(marked(), []);
    const failedAt = { file: '/marks/1.js', line: 1, message: 'Error 1' };
    attempted(1, { kind: 'replay', status: 500, at: '2026-11-26T12:02:00.000Z', failedAt });
    assert.deepEqual(marked(), ['Error 1']);
  });
});
