import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { command, eventually } from '../../support/editor/inEditor.ts';

describe('a delivery that does not match', () => {
  let place: { projectId: string };

  before(async () => {
    place = await command<{ projectId: string }>('startSandbox', { port: 0 });
    await command('startListener', { port: 0 });
  });

  beforeEach(() => command('clearDeliveries', {}));

  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await command('stopSandbox');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Runs an app, whose webhook the sandbox spoils. @returns the delivery once its reason fits */
  async function delivered(fault: string, reason: RegExp): Promise<Delivery> {
    await command('setSandboxFaults', { faults: [fault] });
    const { projectId } = place;
    const run = { projectId, appName: 'echo', body: '{"n":1}', webhook: true, quiet: true };
    await command('runApp', run);
    return eventually(async () => {
      const [delivery] = await command<Delivery[]>('listDeliveries', { limit: 1 });
      return delivery !== undefined && reason.test(delivery.reason ?? '') ? delivery : undefined;
    });
  }

  for (const [fault, words] of [
    ['bad-signature', /^one digit changed: body and secret are correct, the signature is not$/],
    ['body-changed', /^body changed: byte \d+ is "\d", and "\d" in the run's response$/],
  ] as const) {
    it(`has one reason, in its row and in its explanation: ${fault}`, async () => {
      const { id, reason = '' } = await delivered(fault, words);
      const text = await command<string>('explainDelivery', { id });
      assert.ok(text.toLowerCase().includes(`\n${reason.toLowerCase()}.`), text);
      assert.ok(text.includes(`The sandbox simulates ${fault}.`), text);
      await command('setSandboxFaults', { faults: [] });
      assert.ok(!(await command<string>('explainDelivery', { id })).includes('The sandbox simulates'));
    });
  }

  it('has the fault that led to it in its explanation, and no other', async () => {
    const { id } = await delivered('stale-timestamp', /./);
    const explained = (): Promise<string> => command('explainDelivery', { id });
    assert.match(await explained(), /The sandbox simulates stale-timestamp\./);
    await command('setSandboxFaults', { faults: ['429'] });
    assert.doesNotMatch(await explained(), /The sandbox simulates/);
  });
});
