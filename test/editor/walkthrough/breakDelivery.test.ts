import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { command } from '../../support/editor/inEditor.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const secret = 'the secret of the walkthrough';

describe('the delivery that the walkthrough breaks', () => {
  before(async () => {
    await command('setWebhookSecret', { secret });
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
  });

  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is refused, and its explanation says why and opens', async () => {
    const text = await command<string>('breakDelivery');
    assert.match(text, /Newline after secret/);
    assert.ok(!text.includes(secret));
    const all = await command<Delivery[]>('listDeliveries', {});
    assert.deepEqual(
      all.map(({ verdict, answered }) => ({ verdict, answered })),
      [{ verdict: 'mismatch', answered: 401 }],
    );
    const { tabGroups } = vscode.window;
    await waitFor('its tab', () => /^Explain /.test(tabGroups.activeTabGroup.activeTab?.label ?? ''));
  });

  it('is found among others that arrive meanwhile, and where the listener was stopped', async () => {
    await command('stopListener');
    const others = Promise.all([1, 2, 3].map(() => command('sendTestDelivery', {})));
    const text = await command<string>('breakDelivery');
    await others;
    assert.match(text, /Newline after secret/);
  });
});
