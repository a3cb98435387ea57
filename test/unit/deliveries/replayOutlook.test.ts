import assert from 'node:assert/strict';
import type { Verdict } from '../../../src/contract/delivery.ts';
import { outlookText, replayOutlook, signsAnew } from '../../../src/deliveries/replayOutlook.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { defaultSecret } from '../../support/listener/defaultSecret.ts';

describe('what a delivery meets that is sent again as it came', () => {
  const sent = 1_790_000_000;
  const body = '{"n":1}';
  const headers = {
    'x-request-id': 'r-1',
    'x-service-webhook-timestamp': String(sent),
    'x-service-webhook-signature': `v1,${sign('theirs', 'r-1', String(sent), Buffer.from(body))}`,
  };
  const rows: {
    what: string;
    after: number;
    tolerance?: number;
    verdict?: Verdict;
    secrets?: ReturnType<typeof defaultSecret>[];
    kind: string;
    text?: string;
  }[] = [
    { what: 'soon', after: 60, kind: 'fits' },
    { what: 'past the tolerance', after: 28 * 60, kind: 'old', text: 'signed 28 min ago' },
    { what: 'within a long tolerance', after: 28 * 60, tolerance: 3600, kind: 'fits' },
    {
      what: 'where the listener checks no time',
      after: 301,
      tolerance: 0,
      kind: 'old',
      text: 'signed 5 min ago',
    },
    { what: 'dated ahead', after: -3600, verdict: 'stale', kind: 'old', text: 'dated 60 min ahead' },
    {
      what: 'after a rotation',
      after: 60,
      secrets: [defaultSecret('newer'), defaultSecret('theirs', (sent + 600) * 1000)],
      kind: 'rotated',
      text: 'signed with a secret other than the current one',
    },
    {
      what: 'without any secret',
      after: 60,
      secrets: [],
      kind: 'rotated',
      text: 'signed with a secret other than the current one',
    },
    { what: 'where it came without a signature', after: 9999, verdict: 'unsigned', kind: 'unsigned' },
    ...(['mismatch', 'malformed', 'no-secret'] as const).map((verdict) => ({
      what: `where it came as ${verdict}`,
      after: 9999,
      verdict,
      kind: 'neverFitted',
    })),
  ];
  for (const { what, after, tolerance = 300, verdict = 'verified', secrets, kind, text } of rows) {
    it(`${what}: ${kind}`, () => {
      const held = secrets ?? [defaultSecret('theirs')];
      const outlook = replayOutlook({ verdict, headers, body }, held, (sent + after) * 1000, tolerance);
      assert.equal(outlook.kind, kind);
      assert.equal(outlookText(outlook), text);
      assert.equal(signsAnew(outlook), text !== undefined);
    });
  }
});
