import assert from 'node:assert/strict';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { deliveryLine, unkeptLines } from '../../../src/deliveries/deliveryLine.ts';
import { textWidth } from '../../../src/shared/text/plainText.ts';
import { languages, readBundle } from '../../../scripts/l10n/bundles.ts';
import { withMessages } from '../../support/sources/withMessages.ts';

const receivedAt = '2026-11-20T12:04:11.203Z';

const delivered: WholeDelivery = {
  id: 'd-1',
  receivedAt,
  verdict: 'verified',
  appName: 'hello',
  runId: 'run-8f3c21',
  method: 'POST',
  path: '/',
  headers: {},
  body: '{}',
  bytes: 1234,
  answered: 200,
};

describe('the line of a request that was turned away', () => {
  const refused = { at: receivedAt, status: 405, method: 'GET', reason: 'only POST is a delivery' } as const;

  it('has its columns where those of a delivery are, in every language', () => {
    for (const language of ['en', ...languages()]) {
      const [line, verified] = withMessages(language === 'en' ? {} : readBundle(language), () => [
        lineOf({ refused: [refused] }),
        deliveryLine(delivered, { firstAt: () => undefined }).text,
      ]);
      const method = line.indexOf('GET');
      const columns = (text: string): number => textWidth(text.slice(0, text.search(/GET|hello/)));
      assert.ok(method > 0);
      assert.equal(columns(line), columns(verified), language);
    }
  });

  it('stays one line', () => {
    assert.doesNotMatch(lineOf({ refused: [{ ...refused, reason: 'a\nb' }] }), /\n/);
  });
});

describe('the line of a request that broke off', () => {
  const brokenOff = { at: receivedAt, bytes: 812 };
  const rest = (line: string): string => line.slice(line.indexOf('broke off'));

  it('says how much of it came, to the byte, and whether the listener waited for more', () => {
    const lines = unkept({
      brokenOff: [
        { ...brokenOff, announced: 1624 },
        brokenOff,
        { ...brokenOff, bytes: 1 },
        { ...brokenOff, announced: 1624, wasLate: true },
      ],
    });
    assert.deepEqual(lines.map(rest), [
      'broke off after 812 of 1624 bytes',
      'broke off after 812 bytes',
      'broke off after 1 byte',
      'broke off after 812 of 1624 bytes: no more came in time',
    ]);
  });

  it('names its run where that of a delivery is, in every language', () => {
    for (const language of ['en', ...languages()]) {
      const [line, verified] = withMessages(language === 'en' ? {} : readBundle(language), () => [
        lineOf({ brokenOff: [{ ...brokenOff, runId: 'run-7' }] }),
        deliveryLine({ ...delivered, runId: 'run-7' }, { firstAt: () => undefined }).text,
      ]);
      const at = (text: string): number => textWidth(text.slice(0, text.indexOf('run-7')));
      assert.ok(at(line) > 0);
      assert.equal(at(line), at(verified), language);
    }
  });

  it('stays one line of bounded length, whatever run it names', () => {
    const line = lineOf({ brokenOff: [{ ...brokenOff, runId: `a\n${'b'.repeat(4000)}` }] });
    assert.doesNotMatch(line, /\n/);
    assert.ok(line.length < 150, line);
  });

  it('comes in its turn among those that were turned away, and more are a number', () => {
    const later = new Date(Date.parse(receivedAt) + 1).toISOString();
    const lines = unkept({
      brokenOff: [brokenOff],
      refused: [{ at: later, status: 405, method: 'GET', reason: 'why' }],
      overflow: 40,
    });
    assert.match(lines[0]!, /broke off/);
    assert.match(lines[1]!, /GET  405  why/);
    assert.equal(lines[2], '… and 40 more, refused or broken off');
  });
});

function unkept(news: Partial<Parameters<typeof unkeptLines>[0]>): string[] {
  return unkeptLines({ refused: [], brokenOff: [], overflow: 0, ...news });
}

function lineOf(news: Parameters<typeof unkept>[0]): string {
  return unkept(news)[0]!;
}
