import assert from 'node:assert/strict';
import type { Delivery, WholeDelivery } from '../../../src/contract/delivery.ts';
import { verdicts } from '../../../src/contract/values.ts';
import { deliveryLine, replayLine, unkeptLines } from '../../../src/deliveries/deliveryLine.ts';
import { textWidth } from '../../../src/shared/text/plainText.ts';
import { clockTime } from '../../../src/shared/text/durationText.ts';
import { unlinked, withheldLine } from '../../../src/deliveries/forwardText.ts';
import { languages, readBundle } from '../../../scripts/l10n/bundles.ts';
import { withMessages } from '../../support/sources/withMessages.ts';

const receivedAt = '2026-11-20T12:04:11.203Z';
const time = clockTime(new Date(receivedAt));

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

function line(
  changes: Partial<WholeDelivery> = {},
  sinceRunMs?: number,
  how: Pick<Delivery, 'isForwarding' | 'wasTaken'> = {},
): string {
  return deliveryLine(
    { ...delivered, ...changes, ...(sinceRunMs !== undefined && { sinceRunMs }), ...how },
    { firstAt: (id) => (id === 'd-0' ? receivedAt : undefined) },
  ).text;
}

describe('the line of a delivery', () => {
  it('says what came and what the local app answered', () => {
    const forward = { to: 'http://localhost:3000/hook', status: 200, durationMs: 18 };
    assert.equal(
      line({ forward }, 412),
      `${time}  ✓ verified   hello         run-8f3c21      200   1.2 KB  +412 ms   → localhost:3000 200 in 18 ms`,
    );
  });

  it('says that it was made here, in place of verified', () => {
    assert.match(line({ madeHere: true }), /^\S+  ✎ made here  hello /);
    assert.match(line({ madeHere: true, verdict: 'stale' }), /^\S+  ✗ made here, stale  hello /);
    assert.match(line({ madeHere: true, repeatOf: 'd-0' }), /^\S+  ↻ made here  hello .* repeat of/);
  });

  it('says that what the app did not take is kept', () => {
    const to = 'http://localhost:3000/';
    assert.match(
      line({ forward: { to, status: 500, durationMs: 7 } }),
      /→ localhost:3000 500 in 7 ms; in production the service would not try again: kept, Replay/,
    );
    assert.match(
      line({ forward: { to, durationMs: 1, error: 'ECONNREFUSED' } }),
      /→ localhost:3000 is not running: kept, Replay$/,
    );
  });

  it('says of what verified why it is not forwarded, and of nothing else', () => {
    const to = new URL('https://app.example/hook');
    const withheld = withheldLine(to, 'unanswered');
    const lineOf = (changes: Partial<Delivery>, how: Partial<Delivery> = {}) =>
      deliveryLine({ ...delivered, ...changes, ...how }, { firstAt: () => undefined, withheld }).text;
    assert.match(lineOf({}), /→ app\.example is not allowed yet: kept, Replay$/);
    const forward = { to: to.href, status: 204, durationMs: 3 };
    assert.doesNotMatch(lineOf({ forward }), /allowed/);
    assert.doesNotMatch(lineOf({}, { isForwarding: true }), /allowed/);
    assert.doesNotMatch(lineOf({}, { wasTaken: true }), /allowed/);
    assert.doesNotMatch(lineOf({ answered: 503 }), /allowed/);
    assert.doesNotMatch(lineOf({ verdict: 'unsigned' }), /allowed/);
    assert.match(withheldLine(to, 'refused').text, /^→ you did not allow app\.example: kept$/);
  });

  it('gives the reason of what does not verify', () => {
    assert.match(
      line({ verdict: 'mismatch', answered: 401, reason: 'the secret has a newline at its end' }),
      /✗ mismatch .* 401 .* the secret has a newline at its end \(Explain\)$/,
    );
    assert.match(line({ verdict: 'unsigned', answered: 401 }), /○ unsigned .* \(Explain\)$/);
  });

  it('names the first of a repeat', () => {
    assert.match(line({ repeatOf: 'd-0' }), new RegExp(`↻ verified .* repeat of ${time}$`));
    assert.match(line({ repeatOf: 'gone' }), /repeat of an earlier delivery$/);
  });

  it('says of a repeat that it was not forwarded again, where the first one was', () => {
    const repeat = { repeatOf: 'd-0' };
    assert.match(
      line(repeat, undefined, { wasTaken: true }),
      new RegExp(`repeat of ${time}; not forwarded again$`),
    );
    assert.doesNotMatch(line(repeat, undefined, { isForwarding: true }), /forwarded/);
  });

  it('lines its columns up, whatever is missing', () => {
    const lines = [
      line(),
      line({ appName: 'a name that is far too long', runId: 'a run id that is far too long' }),
      line({ verdict: 'no-secret', answered: 401, bytes: 10 }),
      line({ answered: 0, bytes: 123_456_789 }),
    ];
    const [first = 0, ...others] = lines.map((one) => one.search(/(?:B|KB|MB)(?: |$)/));
    for (const other of others) assert.ok(Math.abs(other - first) <= 1, lines.join('\n'));
  });

  it('has the name of the app whole, unless that reads as further columns', () => {
    assert.ok(line({ appName: 'image-classifier-v2' }).includes('  image-classifier-v2  run-8f3c21  '));
    assert.ok(line({ appName: 'echo  run-1  200' }).includes('  echo  run-1…  run-8f3c21  '));
  });

  it('has the run whole, unless that is no id', () => {
    const runId = 'run-7d1f2c4e-93ab-4f0e-8a55-0b1c2d3e4f50';
    assert.ok(line({ runId }).includes(`  ${runId}  200  `));
    for (const none of ['x'.repeat(10_000), 'run-1  200  1.2 KB  → localhost:3000 200 in 18 ms']) {
      assert.ok(line({ runId: none }).includes(`  ${none.slice(0, 13)}…  200  `));
    }
  });

  it('fits a panel where its links lead to the rest: the beginning of the run, no more than what is to be done', () => {
    const forward = { to: 'http://localhost:3000/', status: 500, durationMs: 7 };
    const runId = 'run-7d1f2c4e-93ab-4f0e-8a55-0b1c2d3e4f50';
    const { text, links } = deliveryLine(
      { ...delivered, runId, forward, sinceRunMs: 412 },
      { firstAt: () => undefined, appWidth: 6 },
    );
    assert.equal(
      text,
      `${time}  ✓ verified   hello   run-7d1f2c4e  200   1.2 KB  +412 ms   → localhost:3000 500 in 7 ms: kept, Replay`,
    );
    const words = links.map(({ start, length }) => text.slice(start, start + length));
    assert.deepEqual(words, [time, 'run-7d1f2c4e', 'Replay']);
  });

  it('stays one line, whatever the service wrote', () => {
    const hostile = 'run\n12:00:00.000  ✓ verified\u2028\u202e\u001b[31m';
    for (const one of [line({ runId: hostile }), line({ appName: hostile }), line({ reason: hostile })]) {
      assert.doesNotMatch(one, /[\n\r\u2028\u202e\u001b]/);
    }
  });
});

describe('the line of a replay', () => {
  const of = (status: number) => {
    const attempt = { at: '2026-11-20T12:06:40.017Z', kind: 'replay', to: 'http://localhost:3000/' } as const;
    return replayLine({ ...delivered, answered: 500 }, { ...attempt, status, durationMs: 3 });
  };
  const replayed = clockTime(new Date('2026-11-20T12:06:40.014Z'));

  it('says when it was sent, what it is of and what was answered', () => {
    const { text, links } = of(200);
    assert.equal(
      text,
      `${replayed}  ↺ replayed   hello         run-8f3c21      of ${time}  → localhost:3000 200 in 3 ms`,
    );
    assert.deepEqual(
      links.map(({ to, start, length }) => [to, text.slice(start, start + length)]),
      [
        ['delivery', replayed],
        ['delivery', 'run-8f3c21'],
      ],
    );
  });

  it('says that it was edited, or sent without its signature', () => {
    const attempt = { at: receivedAt, to: 'http://localhost:3000/', status: 200, durationMs: 3 };
    assert.match(replayLine(delivered, { ...attempt, kind: 'edited' }).text, /↺ edited +hello/);
    assert.match(replayLine(delivered, { ...attempt, kind: 'unsigned' }).text, /↺ unsigned +hello/);
    // What is rejected comes out as it should: the mark gives the line its colour.
    assert.match(
      replayLine(delivered, { ...attempt, kind: 'unsigned' }).text,
      /→ localhost:3000 ⚠ 200 in 3 ms/,
    );
    const rejected = replayLine(delivered, { ...attempt, kind: 'unsigned', status: 401 }).text;
    assert.match(rejected, /→ localhost:3000 ✓ 401 in 3 ms$/);
    const anew = replayLine(delivered, { ...attempt, kind: 'signedAnew' }).text;
    assert.match(anew, /↺ replayed   hello .* of \S+ signed anew {2}→/);
  });

  it('says nothing of the service, which got its answer when it came', () => {
    assert.match(of(404).text, /→ localhost:3000 404 in 3 ms: kept, Replay$/);
  });
});

describe('the column of verdicts', () => {
  it('has as many wide letters in each row, since few fonts have them twice as wide as others', () => {
    const rows = withMessages(readBundle('ja'), () => verdicts.map((verdict) => line({ verdict })));
    const wideLetters = rows.map(
      (row) => row.slice(0, row.indexOf('hello')).replaceAll(/[ -~✓○✗]/g, '').length,
    );
    assert.equal(new Set(wideLetters).size, 1, String(wideLetters));
  });
});

describe('the line of a request that was turned away', () => {
  const refused = {
    at: receivedAt,
    status: 405,
    method: 'GET',
    reason: 'a delivery must be a POST',
  } as const;

  it('has its columns where those of a delivery are, in every language', () => {
    for (const language of ['en', ...languages()]) {
      const [line, verified] = withMessages(language === 'en' ? {} : readBundle(language), () => [
        unkeptLine({ refused: [refused] }),
        deliveryLine(delivered, { firstAt: () => undefined }).text,
      ]);
      const method = line.indexOf('GET');
      const columns = (text: string): number => textWidth(text.slice(0, text.search(/GET|hello/)));
      assert.ok(method > 0);
      assert.equal(columns(line), columns(verified), language);
    }
  });

  it('stays one line', () => {
    assert.doesNotMatch(unkeptLine({ refused: [{ ...refused, reason: 'a\nb' }] }), /\n/);
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
      'broke off at 812 of 1624 bytes: the connection was closed before the rest arrived',
      'broke off after 812 bytes: the connection was closed before the rest arrived',
      'broke off after 1 byte: the connection was closed before the rest arrived',
      'broke off at 812 of 1624 bytes: the rest did not arrive in time',
    ]);
  });

  it('has its columns where those of a delivery are, in every language, and in the editor', () => {
    const one = { ...brokenOff, runId: 'run-7' };
    const all = ['en', ...languages()].map((language) => ({
      language,
      appWidth: undefined as number | undefined,
    }));
    for (const { language, appWidth } of [...all, { language: 'en', appWidth: 7 }]) {
      const [line, ofDelivery] = withMessages(language === 'en' ? {} : readBundle(language), () => [
        unkeptLine({ brokenOff: [one] }, appWidth),
        deliveryLine(
          { ...delivered, ...one },
          { firstAt: () => undefined, ...(appWidth !== undefined && { appWidth }) },
        ).text,
      ]);
      for (const column of ['run-7', '812 B']) {
        const at = (text: string): number => textWidth(text.slice(0, text.indexOf(column)));
        assert.ok(at(line) > 0);
        assert.equal(at(line), at(ofDelivery), `${column} ${language}`);
      }
    }
  });

  it('stays one line of bounded length, whatever run it names', () => {
    const line = unkeptLine({ brokenOff: [{ ...brokenOff, runId: `a\n${'b'.repeat(4000)}` }] });
    assert.doesNotMatch(line, /\n/);
    assert.ok(line.length < 200, line);
  });

  it('leads to its run by its time and the run id, if it names one', () => {
    const linksOf = (one: object) =>
      unkeptLines({ refused: [], brokenOff: [{ ...brokenOff, ...one }], overflow: 0 }).map(
        ({ text, links, runId }) => [
          runId,
          ...links.map(({ to, start, length }) => [to, text.slice(start, start + length)]),
        ],
      );
    const [[, [, time] = []] = []] = linksOf({ runId: 'run-7' });
    assert.match(String(time), /^\d\d:\d\d:\d\d\.\d{3}$/);
    assert.deepEqual(linksOf({ runId: 'run-7' }), [['run-7', ['run', time], ['run', 'run-7']]]);
    assert.deepEqual(linksOf({ runId: undefined }), [[undefined]]);
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

describe('the words of a line that lead somewhere', () => {
  const linked = (changes: Partial<WholeDelivery>) => {
    const { text, links } = deliveryLine({ ...delivered, ...changes }, { firstAt: () => undefined });
    return links.map(({ to, start, length }) => [to, text.slice(start, start + length)]);
  };
  const forward = { to: 'http://localhost:3000/', status: 500, durationMs: 7 };

  it('are its time and its run, the word that explains it, and the one that replays it', () => {
    assert.deepEqual(linked({ verdict: 'mismatch', forward }), [
      ['delivery', time],
      ['delivery', 'run-8f3c21'],
      ['explanation', '(Explain)'],
      ['replay', 'Replay'],
    ]);
  });

  it('are no word that the service wrote, and no run where there is none', () => {
    const hostile = { appName: '(Explain)', runId: 'Replay', reason: '(Explain) Replay' };
    assert.deepEqual(linked(hostile), [
      ['delivery', time],
      ['delivery', 'Replay'],
    ]);
    const without = Object.fromEntries(Object.entries(delivered).filter(([name]) => name !== 'runId'));
    const { links } = deliveryLine(without as unknown as Delivery, { firstAt: () => undefined });
    assert.equal(links.length, 1);
  });

  it('are those of every language', () => {
    for (const language of languages()) {
      const bundle = readBundle(language);
      const found = withMessages(bundle, () => linked({ verdict: 'stale', forward }));
      assert.deepEqual(found.slice(2), [
        ['explanation', bundle['(Explain)']],
        ['replay', bundle['Replay']],
      ]);
    }
  });
});

describe('a line where nothing can be clicked', () => {
  const plain = (changes: Partial<WholeDelivery>) =>
    unlinked(deliveryLine({ ...delivered, verdict: 'mismatch', ...changes }, { firstAt: () => undefined }));

  it('has no word that would explain it, in any language', () => {
    const forward = { to: 'http://localhost:3000/', status: 200, durationMs: 7 };
    assert.match(plain({ reason: 'why (Explain)' }), / {2}why \(Explain\)$/);
    assert.match(plain({ reason: 'why', forward }), / {2}why → localhost:3000 200 in 7 ms$/);
    assert.match(plain({}), / {2}1\.2 KB$/);
    for (const language of languages())
      assert.match(
        withMessages(readBundle(language), () => plain({ reason: 'why' })),
        / {2}why$/,
      );
  });
});

function unkept(news: Partial<Parameters<typeof unkeptLines>[0]>, appWidth?: number): string[] {
  return unkeptLines({ refused: [], brokenOff: [], overflow: 0, ...news }, appWidth).map(({ text }) => text);
}

function unkeptLine(...given: Parameters<typeof unkept>): string {
  return unkept(...given)[0]!;
}
