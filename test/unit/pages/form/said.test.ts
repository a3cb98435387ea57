import assert from 'node:assert/strict';
import type { FormContent, Said } from '../../../../src/pages/form/formProtocol.ts';
import { saidOf, stillHolds } from '../../../../src/pages/form/said.ts';

const lastApplied = {
  ...{ date: '12 Nov 2026, 14:03', at: 1, known: {}, sent: {}, undo: {} },
  ...{ stays: [], undoes: false, isUnsure: false },
};
const content: FormContent = {
  ...{
    app: { projectId: 'p-1', appId: 'hello' },
    appName: 'hello',
    projectName: 'Acme',
    path: '',
    origin: '',
  },
  ...{ account: 'ci', environment: 'dev', startsSandbox: false, lastApplied },
};
const applied: Said['status'] = { kind: 'done', text: 'Applied 1 setting.' };
const failed: Said['status'] = { kind: 'error', text: '429: Too many requests.', fields: ['gpuCount'] };
const rejected: Said['status'] = { ...failed, mend: 'setToken' };

describe('what the form has said', () => {
  const cases: [what: string, now: FormContent, holds: Said['status'][], not: Said['status'][]][] = [
    ['nothing else is known', { ...content }, [applied, failed, rejected], []],
    ['another account is in use', { ...content, account: 'release' }, [failed], [applied, rejected]],
    [
      'the account has another environment',
      { ...content, environment: 'prod' },
      [failed],
      [applied, rejected],
    ],
    [
      'something else was applied',
      { ...content, lastApplied: { ...lastApplied, at: 2 } },
      [applied, failed, rejected],
      [],
    ],
    ['Runhook was reset', { ...content, lastApplied: undefined }, [], [applied, failed, rejected]],
  ];
  for (const [what, now, holds, not] of cases) {
    it(`holds as far as it tells of that once ${what}`, () => {
      for (const status of holds) assert.equal(stillHolds(saidOf(status, content), now), true, status.kind);
      for (const status of not) assert.equal(stillHolds(saidOf(status, content), now), false, status.kind);
    });
  }

  it('holds where nothing had been applied, and nothing is', () => {
    const never = { ...content, lastApplied: undefined };
    assert.equal(stillHolds(saidOf(failed, never), never), true);
  });
});
