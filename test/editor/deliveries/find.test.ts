import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DeclinedError, type LiveField, type Prompts } from '../../../src/editor/kit/prompts.ts';
import { filterCommands, FindField } from '../../../src/editor/deliveries/view/filterCommands.ts';
import { answerPromptsCommand } from '../../../src/editor/kit/scriptedPrompts.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { DeliveriesRig } from '../../support/editor/deliveriesRig.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const filterDeliveries = (argument?: object): Thenable<unknown> =>
  vscode.commands.executeCommand('runhook.filterDeliveries', argument);

describe('the field over the deliveries', () => {
  let rig: DeliveriesRig;
  let field: FindField;
  beforeEach(async () => {
    rig = new DeliveriesRig([
      deliveryOf('c', { appName: 'echo', headers: { 'x-trace': 'order 77' } }),
      deliveryOf('b', { verdict: 'mismatch' }),
      deliveryOf('a', { appName: 'echo' }),
    ]);
    await waitFor('the deliveries', () => rig.ids.length === 3);
    field = new FindField(rig.view, '');
  });
  afterEach(() => rig.view.dispose());

  const labels = (): string[] => field.lines().map(({ label }) => label);
  const typed = async (text: string): Promise<void> => {
    field.follow(text);
    await field.shown;
  };

  it('narrows the view as it is typed into, and says how many fit', async () => {
    await typed('app:echo');
    assert.deepEqual(rig.ids, ['c', 'a']);
    assert.equal(rig.shown.message, '2 of 3 · app:echo');
    assert.match(field.lines()[0]?.description ?? '', /^2 of 3 ·/);
    await typed('app:echo "order 77"');
    assert.deepEqual(rig.ids, ['c']);
    await typed('app:echo "order 78"');
    assert.deepEqual([rig.ids, rig.shown.message], [[], '0 of 3 · app:echo "order 78"']);
    await typed('');
    assert.deepEqual([rig.ids, rig.shown.message], [['c', 'b', 'a'], '']);
  });

  it('has the text itself in front, and behind it how its last word can go on', async () => {
    assert.deepEqual(labels().slice(0, 3), ['All deliveries', 'app:', 'run:']);
    await typed('verdict:mismatch app:e');
    assert.deepEqual(labels(), ['verdict:mismatch app:e', 'app:echo']);
    assert.equal(field.lines()[1]?.text, 'verdict:mismatch app:echo ');
    await typed('header:');
    assert.deepEqual(labels(), ['header:', 'header:x-trace']);
  });

  it('says what is wrong with a word, and is not left with it', async () => {
    await typed('app:echo status:oops');
    assert.match(field.lines()[0]?.description ?? '', /500 or 5xx/);
    assert.deepEqual([field.canBeKept(), rig.ids], [false, ['c', 'a']]);
  });

  it('goes back to what was shown before', async () => {
    await rig.view.setFilter({ verdict: 'mismatch' });
    field = new FindField(rig.view, '');
    assert.equal(field.value, 'verdict:mismatch ');
    await typed('app:echo');
    field.restore();
    await field.shown;
    assert.deepEqual([rig.ids, rig.view.filter], [['b'], { verdict: 'mismatch' }]);
  });

  it('closes where the filter is cleared', async () => {
    const prompts = {
      live: (shown: LiveField) =>
        new Promise<boolean>(
          (end) =>
            void shown.listen(
              () => undefined,
              () => end(true),
            ),
        ),
    } as unknown as Prompts;
    const commands = filterCommands(prompts, rig.view, () => Promise.resolve());
    const kept = commands.filterDeliveries(undefined);
    await rig.view.setFilter({ app: 'echo' });
    await commands.clearDeliveryFilter();
    await kept;
    assert.deepEqual([rig.ids, rig.view.filter], [['c', 'b', 'a'], {}]);
  });

  it('goes on with what was typed where it is opened again, and goes back to what was before', async () => {
    const opened: { field: LiveField; end: (isKept: boolean) => void }[] = [];
    const prompts = {
      live: (shown: LiveField) =>
        new Promise<boolean>((end) => {
          // The editor shows one field at a time.
          opened.at(-1)?.end(false);
          opened.push({ field: shown, end });
        }),
    } as unknown as Prompts;
    const { filterDeliveries: open } = filterCommands(prompts, rig.view, () => Promise.resolve());
    const first = open(undefined);
    opened[0]?.field.follow('app:echo');
    const second = open(undefined);
    await assert.rejects(first, DeclinedError);
    assert.equal(opened[1]?.field.value, 'app:echo ');
    assert.deepEqual(rig.view.filter, { app: 'echo' });
    opened[1].end(false);
    await assert.rejects(second, DeclinedError);
    assert.deepEqual([rig.ids, rig.view.filter], [['c', 'b', 'a'], {}]);
  });

  it('shows nothing of an older search once a newer is answered', async () => {
    const slow = Promise.withResolvers<undefined>();
    rig.held = slow.promise;
    field.follow('app:echo');
    const older = field.shown;
    rig.held = Promise.resolve();
    field.follow('verdict:mismatch');
    slow.resolve(undefined);
    await Promise.all([older, field.shown]);
    assert.deepEqual([rig.ids, rig.shown.message], [['b'], '1 of 3 · verdict:mismatch']);
  });

  it('asks for nothing where a letter changes nothing', async () => {
    await typed('app:echo');
    const { length } = rig.asked;
    await typed('app:echo ');
    await typed('app:echo verdict:');
    assert.equal(rig.asked.length, length);
  });

  it('keeps its text where a row is chosen meanwhile', () => {
    let chosen = 0;
    const listening = field.listen(
      () => undefined,
      () => (chosen += 1),
    );
    const [row] = rig.rows;
    assert.ok(row);
    rig.select(row);
    listening.dispose();
    rig.select(row);
    assert.equal(chosen, 1);
  });

  it('is opened by the command, and remembers what was looked for', async () => {
    const answer = (...answers: unknown[]) => vscode.commands.executeCommand(answerPromptsCommand, answers);
    await answer(['app', 'app:echo'], false);
    await filterDeliveries();
    await filterDeliveries();
    await vscode.commands.executeCommand('runhook.clearDeliveryFilter');
    assert.equal(new FindField(rig.view, 'app:echo').lines()[1]?.text, 'app:echo');
  });

  it('is opened from the title of the view, whatever row has the focus: the editor hands that one over', async () => {
    const answer = (...answers: unknown[]) => vscode.commands.executeCommand(answerPromptsCommand, answers);
    const many = new DeliveriesRig(Array.from({ length: 250 }, (_, at) => deliveryOf(`d${at}`)));
    try {
      await waitFor('the deliveries', () => many.ids.length > 0);
      const rows = new Map(many.rows.map((row) => [row.delivery === undefined ? 'more' : 'delivery', row]));
      assert.deepEqual([...rows.keys()], ['delivery', 'more']);
      for (const [kind, row] of rows) {
        await answer('app:echo');
        await filterDeliveries(row);
        assert.deepEqual(await answer(), [], `${kind}: no question was asked`);
      }
    } finally {
      many.view.dispose();
      await vscode.commands.executeCommand('runhook.clearDeliveryFilter');
    }
  });

  it('is not asked where the command is told what to show', async () => {
    await filterDeliveries({ query: 'status:5xx failed', app: 'echo', header: { name: 'x-trace' } });
    await filterDeliveries({ verdict: 'mismatch', app: 'echo', text: 'needle' });
    await assert.rejects(
      filterDeliveries({ query: 'verdict:mis' }) as Promise<unknown>,
      /A verdict is one of/,
    );
    await assert.rejects(filterDeliveries({ since: 'yesterday' }) as Promise<unknown>, /since/);
    await vscode.commands.executeCommand('runhook.clearDeliveryFilter');
  });
});
