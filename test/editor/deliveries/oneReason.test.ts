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

  /** Runs an app, whose webhook the sandbox spoils by these faults. @returns the delivery once its reason fits */
  async function delivered(reason: RegExp, ...faults: string[]): Promise<Delivery> {
    await command('setSandboxFaults', { faults });
    const { projectId } = place;
    const run = { projectId, appName: 'echo', body: '{"n":1}', webhook: true, quiet: true };
    await command('runApp', run);
    return eventually(async () => {
      const [delivery] = await command<Delivery[]>('listDeliveries', { limit: 1 });
      return delivery !== undefined && reason.test(delivery.reason ?? '') ? delivery : undefined;
    });
  }

  /** The explanation, once the sandbox has told what it simulated. */
  function explanationWith(id: string, fault: string): Promise<string> {
    return eventually(async () => {
      const text = await command<string>('explainDelivery', { id });
      return text.includes(`The sandbox simulated ${fault}.`) ? text : undefined;
    });
  }

  for (const [fault, words] of [
    ['bad-signature', /^one digit changed: body and secret are correct, the signature is not$/],
    ['body-changed', /^body changed: byte \d+ is "\d", and "\d" in the run's response$/],
  ] as const) {
    it(`has one reason, in its row and in its explanation: ${fault}`, async () => {
      const { id, reason = '' } = await delivered(words, fault);
      const text = await explanationWith(id, fault);
      assert.ok(text.toLowerCase().includes(`\n${reason.toLowerCase()}.`), text);
    });
  }

  it('keeps its reason, also once it is explained without the secret that it was checked with', async () => {
    await command('setWebhookSecret', { ...place, secret: 'only for a while' });
    const { id, reason = '' } = await delivered(/^body changed: byte/, 'body-changed');
    await command('removeWebhookSecret', place);
    const text = await command<string>('explainDelivery', { id });
    assert.match(text, /\nThe signature did not match when it arrived\.\nBody changed: byte .* again\.\n/s);
    const [delivery] = await command<Delivery[]>('listDeliveries', { limit: 1 });
    assert.deepEqual([delivery?.id, delivery?.reason], [id, reason]);
  });

  it('has every fault of its signature in its explanation, where one would be refused for each', async () => {
    const { id } = await delivered(/^one digit changed/, 'bad-signature', 'stale-timestamp');
    await explanationWith(id, 'bad-signature, stale-timestamp');
  });

  it('has the fault that led to it in its explanation, whichever is simulated by then', async () => {
    const { id } = await delivered(/./, 'stale-timestamp');
    for (const faults of [['stale-timestamp'], ['429'], ['bad-signature', 'missing-header'], []]) {
      await command('setSandboxFaults', { faults });
      const text = await explanationWith(id, 'stale-timestamp');
      assert.equal(text.match(/The sandbox simulated/g)?.length, 1, text);
    }
  });
});
