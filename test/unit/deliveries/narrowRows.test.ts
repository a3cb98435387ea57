import assert from 'node:assert/strict';
import { attemptErrors } from '../../../src/contract/delivery.ts';
import { handlerText, outcomeText } from '../../../src/deliveries/outcomeText.ts';
import { runOutcome } from '../../../src/deliveries/runOutcome.ts';
import { unreachable } from '../../../src/service/client/timeLimit.ts';
import type { Run } from '../../../src/service/runs/run.ts';
import { t } from '../../../src/shared/text/l10n.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { assertFitsRow } from '../../support/deliveries/narrowRow.ts';
import { input } from '../../support/deliveries/runInput.ts';

const to = 'http://127.0.0.1:3000/';
const url = new URL('https://api.example/');

/** How connections fail. */
const codes = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'UND_ERR_SOCKET', 'UNKNOWN'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_UNTRUSTED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'],
  ...[
    'CERT_NOT_YET_VALID',
    'ERR_NOT_TLS',
    'ERR_IS_TLS',
    'ERR_ENDED',
    'EPROTO',
    'HPE_HEADER_OVERFLOW',
    'HPE_INVALID',
  ],
];

describe('a row of 290 px has room, in each language,', () => {
  for (const error of [...codes, 'TimeoutError', 'ECANCELED', ...Object.values(attemptErrors)]) {
    it(`for why the handler did not respond: ${error}`, () => {
      const forward = { to, durationMs: 3, error };
      assertFitsRow(() => outcomeText(deliveryOf('d-1', { verdict: 'verified', forward }), 300, true), 31);
    });
  }

  for (const code of codes) {
    it(`for why the service was not reached: ${code}`, () => {
      const error = Object.assign(new Error(), { code });
      assertFitsRow(() => unreachable(url, error).inRow, 30);
      const { inRow: short, message: reason } = unreachable(url, error);
      const outcome = { kind: 'failed', reason, short, durationMs: 1 } as const;
      assert.equal(runOutcome({ id: 'r', input, startedAt: 0, outcome }).text, short);
    });
  }

  it('for what came of a run', () => {
    const answered = { kind: 'answered', status: 200, durationMs: 1234, bytes: 2 } as const;
    const run: Run = { id: 'r', input: { ...input, webhook: true }, startedAt: 0, outcome: answered };
    const runs: Run[] = [
      run,
      { ...run, awaited: true },
      { ...run, brokenOff: { bytes: 812, announced: 1024, times: 1 } },
      { ...run, largerThan: 1000 },
      { ...run, input: { ...input, webhook: 'https://example.com/' } },
      { ...run, outcome: { kind: 'interrupted' } },
      { ...run, outcome: { kind: 'failed', reason: 'x', durationMs: 1, bytes: 81_200 } },
    ];
    // The end of its row, behind the time. Its tooltip has all of it.
    for (const one of runs) assertFitsRow(() => runOutcome(one).text, 37);
  });

  it('for when a run was, and what the app or your handler returned', () => {
    const answered = { kind: 'answered', status: 500, durationMs: 1234, bytes: 2 } as const;
    const run: Run = { id: 'r', input: { ...input, webhook: true }, startedAt: 0, outcome: answered };
    const delivery = { ...deliveryOf('d-1', { verdict: 'verified' }), repeats: 0 };
    const forward = { to, status: 500, durationMs: 3 };
    const runs: Run[] = [
      { ...run, delivery: { ...delivery, forward: { ...forward, status: 200 } } },
      { ...run, outcome: { ...answered, status: 200 }, delivery: { ...delivery, forward } },
      { ...run, outcome: { ...answered, status: 200 }, delivery },
    ];
    for (const one of runs) assertFitsRow(() => `10:52:15 ${runOutcome(one).text}`);
  });

  it('for what the handler returned, and how old it is', () => {
    assertFitsRow(() => `${handlerText({ status: 500 }, true)} · ${t('{0} min', 12)}`, 27);
  });

  it('for the status of an attempt, how long it took, and when it was', () => {
    assertFitsRow(() => `${t('{0} in {1}', 500, '7 ms')} 12:06:40`);
  });

  it('for an account whose keys expire, and for its key', () => {
    assertFitsRow(() => `ci ${t('1 key expires')} · dev`, 33);
    assertFitsRow(() => `production ${t('rejected')} · prod`);
    assertFitsRow(() => `preview ${t('token missing')} · staging`, 33);
    assertFitsRow(() => `deploy-bot ${t('until {0}', '12.12.2027')}`, 33);
    assertFitsRow(() => `deploy-bot ${t('no expiry known')}`, 33);
    assertFitsRow(() => `ci ● ${t('{0} until {1}', 429, '14:03:12')} · dev`, 33);
    assertFitsRow(() => `${t('Address ignored')} ${t('Set Yours…')}`);
    assertFitsRow(() => t('{0} entries left out', 12), 33);
    assertFitsRow(() => t('Projects: not a list'), 33);
  });
});
