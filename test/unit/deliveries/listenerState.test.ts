import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/checkout.ts';
import { readBundle } from '../../../scripts/l10n/bundles.ts';
import {
  awayFrom,
  awayText,
  listenerLines,
  listeningState,
  type ListenerState,
} from '../../../src/deliveries/listenerState.ts';
import { useBundle } from '../../../src/shared/text/l10n.ts';
import { input } from '../../support/deliveries/runInput.ts';

describe('what an output says of the listener', () => {
  const said = (...states: ListenerState[]): string[] =>
    states.flatMap((state, at) => listenerLines(state, states[at - 1]));
  const viaRelay = (problem?: string) =>
    listeningState(8787, undefined, {
      publicUrl: 'https://relay.example/in/1',
      relay: problem === undefined ? {} : { problem },
    });
  const listens =
    'Runhook listens on http://127.0.0.1:8787/, public as https://relay.example/in/1 via relay.';

  it('is where it listens, once, and what changes while its relay is away and back', () => {
    const away =
      '✗ The relay is not available: Too slow. Runhook keeps trying; deliveries that the relay has accepted wait there.';
    assert.deepEqual(said(viaRelay(), viaRelay('Too slow.'), viaRelay('Too slow.'), viaRelay(), viaRelay()), [
      listens,
      away,
      'The relay can be reached again.',
    ]);
  });

  it('is why its tunnel broke off, and where it opens again', () => {
    const open = (publicUrl: string) => listeningState(8787, undefined, { publicUrl });
    const broken = listeningState(8787, undefined, { tunnelProblem: 'ngrok exited (1).' });
    assert.deepEqual(said(open('https://a.example/'), broken, broken, open('https://b.example/')), [
      'Runhook listens on http://127.0.0.1:8787/, public as https://a.example/.',
      '✗ The tunnel broke off: ngrok exited (1). Runhook opens it again. Its address may change.',
      'Runhook listens on http://127.0.0.1:8787/, public as https://b.example/.',
    ]);
  });

  it('has no space between sentences where the language has none', () => {
    useBundle(readBundle('ja'));
    try {
      const { relay, ...state } = viaRelay();
      const texts = [
        { ...state, relay: { ...relay, problem: '満杯です。' } },
        { ...state, tunnelProblem: '満杯です。' },
      ];
      for (const text of texts.map(awayText)) assert.match(text!, /: 満杯です。Runhook/);
    } finally {
      useBundle({});
    }
  });

  it('is why it failed, in the colour of what is refused', () => {
    const [line = ''] = said({ kind: 'starting' }, { kind: 'failed', reason: 'The port is taken.' });
    assert.equal(line, '✗ The port is taken.');
    const { patterns, repository } = JSON.parse(
      readFileSync(join(root, 'media/deliveries.tmLanguage.json'), 'utf8'),
    ) as { patterns: { include: string }[]; repository: Record<string, { match: string }> };
    const first = patterns.find(({ include }) => new RegExp(repository[include.slice(1)]!.match).test(line));
    assert.equal(first?.include, '#refused');
  });

  it('is that deliveries can be stored again', () => {
    const lines = said(listeningState(8787, 'The disk is full.'), listeningState(8787));
    assert.equal(lines.length, 3);
    assert.equal(lines[2], 'Deliveries can be stored again.');
  });

  it('is where it listens again after it has stopped', () => {
    assert.deepEqual(said(viaRelay(), { kind: 'stopped' }, { kind: 'starting' }, viaRelay()), [
      listens,
      'The listener has stopped.',
      listens,
    ]);
  });
});

describe('what keeps deliveries away', () => {
  const listening = listeningState(2, undefined, { publicUrl: 'https://relay.example/t' });
  const away = { ...listening, relay: { problem: 'nothing listens there' } };

  it('is said of a run whose webhook goes there', () => {
    assert.equal(awayFrom({ input }, ['https://relay.example/t/a'], away), 'the relay is not available');
    const here = { ...away, publicUrl: 'http://127.0.0.1:9/in/1' };
    assert.equal(awayFrom({ input }, ['http://127.0.0.1:9/in/1/a'], here), 'the relay is not available');
    assert.equal(
      awayFrom({ input }, ['https://x.example/'], { ...listening, tunnelProblem: 'exit code 1' }),
      'the tunnel broke off',
    );
    const closed = listeningState(2);
    assert.equal(awayFrom({ input }, ['https://x.example/a'], closed), 'the address of the run is gone');
  });

  it('is nothing where it is there, for a service of this machine, elsewhere, and where nothing listens', () => {
    const elsewhere = { input: { ...input, webhook: 'https://me.example/' } };
    assert.equal(awayFrom(elsewhere, ['https://me.example/'], away), undefined);
    assert.equal(awayFrom({ input }, ['https://relay.example/t/a'], listening), undefined);
    assert.equal(awayFrom({ input }, ['http://127.0.0.1:2/a'], away), undefined);
    assert.equal(awayFrom({ input }, ['https://relay.example/t/a'], { kind: 'stopped' }), undefined);
  });
});
