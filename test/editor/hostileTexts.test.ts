import assert from 'node:assert/strict';
import { deliveryRow } from '../../src/editor/deliveries/view/deliveryItem.ts';
import { pickDelivery } from '../../src/editor/deliveries/view/pickDelivery.ts';
import type { Listener } from '../../src/editor/listener/listener.ts';
import { type Log, readableError } from '../../src/editor/kit/log.ts';
import type { Choice } from '../../src/editor/kit/prompts.ts';
import { ErrorSurface } from '../../src/editor/kit/errorSurface.ts';
import { LastChoices } from '../../src/editor/run/lastChoices.ts';
import { givenApp } from '../../src/editor/run/resolve.ts';
import { RunHistory } from '../../src/editor/run/history/runHistory.ts';
import { RunNodes } from '../../src/editor/run/history/runNodes.ts';
import { UserError } from '../../src/shared/text/userError.ts';
import { AnsweredPrompts } from '../support/editor/answeredPrompts.ts';
import { assertHarmless, assertHarmlessLines } from '../support/untrusted/assertHarmless.ts';
import { deliveryOf } from '../support/deliveries/deliveryOf.ts';
import { hostileTexts } from '../support/untrusted/hostileTexts.ts';
import { MemoryMemento } from '../support/editor/memoryMemento.ts';
import { MemoryRuns } from '../support/editor/memoryRuns.ts';

/** Prompts that keep what could be picked, and pick nothing. */
class SeenPrompts extends AnsweredPrompts {
  readonly choices: Choice<unknown>[] = [];

  override pick<T>(_title: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    this.choices.push(...choices);
    return Promise.resolve(undefined);
  }
}

describe('hostile text of the service in the editor', () => {
  const each = (check: (text: string) => void | Promise<void>) => async () => {
    for (const text of hostileTexts) await check(text);
  };
  const mustOffer = (prompts: SeenPrompts) => {
    assert.ok(prompts.choices.length > 0);
    for (const { label, description = '' } of prompts.choices)
      for (const shown of [label, description]) assertHarmless(shown, 250);
  };

  it(
    'is harmless in the row of a delivery, in its tooltip and read aloud',
    each((text) => {
      const forward = { to: 'http://localhost:3000/', durationMs: 1, status: 500, answer: text };
      const first = {
        ...deliveryOf('d-1', {
          runId: text,
          appName: text,
          reason: text,
          requestId: text,
          path: `/${text}`,
          forward,
        }),
        verdict: 'mismatch' as const,
      };
      const { item } = deliveryRow(first, [], false, 0);
      assertHarmless(item.label as string, 200);
      assertHarmless(String(item.description), 300);
      assertHarmless(item.accessibilityInformation?.label ?? '', 600);
      assert.ok(typeof item.tooltip === 'string', 'the tooltip is no Markdown');
      for (const line of item.tooltip.split('\n')) assertHarmless(line, 500);
      assert.ok(item.tooltip.split('\n').length <= 13);
    }),
  );

  it(
    'is harmless in the row of a run and in its tooltip',
    each((text) => {
      const history = new RunHistory(new MemoryRuns());
      const nodes = new RunNodes(history);
      const input = { projectId: 'p', appName: 'a', path: 'run', method: 'POST', headers: {}, webhook: true };
      const run = history.begin(input, 0);
      history.identify(run, text === '' ? 'x' : text);
      history.end(run, { kind: 'failed', reason: text, durationMs: 1 });
      const [row] = nodes.of(input);
      assertHarmless(row?.item.label as string, 100);
      assertHarmless(String(row?.item.description), 100);
      assert.ok(typeof row?.item.tooltip === 'string', 'the tooltip is no Markdown');
      assertHarmlessLines(row.item.tooltip, 4, 500);
      nodes.dispose();
      history.dispose();
    }),
  );

  it(
    'is harmless where a delivery or an app is picked',
    each(async (text) => {
      const prompts = new SeenPrompts();
      const deliveries = [deliveryOf('d-1', { runId: text, appName: text })];
      const listener = { page: () => Promise.resolve({ deliveries, hasMore: false }) };
      await assert.rejects(pickDelivery(listener as unknown as Listener, prompts, 'Which?', undefined));
      mustOffer(prompts);
      const project = {
        id: 'p',
        name: text,
        serviceAccounts: [],
        apps: [{ id: 'a', name: text }, { id: 'b' }],
      };
      const projects = { all: () => [project], get: () => project };
      const seen = new SeenPrompts();
      await givenApp({ prompts: seen, projects, last: new LastChoices(new MemoryMemento(), () => true) }, {});
      mustOffer(seen);
    }),
  );

  it(
    'makes no link in a notification, which could run a command',
    each(async (text) => {
      const prompts = new AnsweredPrompts();
      const { asked: shown } = prompts;
      const log = { error: () => undefined, show: () => undefined } as unknown as Log;
      const surface = new ErrorSurface({ prompts, log, done: () => Promise.resolve() });
      for (const error of [new UserError(text), new Error(text)]) {
        await surface.show('Running an app', error, () => Promise.resolve());
        // A caller may show it as well.
        shown.push(readableError(log, 'Running an app', error).message);
      }
      assert.equal(shown.length, 4);
      for (const message of shown) assert.ok(!message.includes(']('), message.slice(0, 200));
    }),
  );
});
