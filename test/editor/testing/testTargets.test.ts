import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Destinations } from '../../../src/editor/listener/destinations.ts';
import { ScriptedPrompts } from '../../../src/editor/kit/scriptedPrompts.ts';
import { TestTargets, targetFor } from '../../../src/editor/testing/testTargets.ts';
import type { HeldSecret } from '../../../src/model/secrets/webhookSecret.ts';
import { testsIn } from '../../../src/suite/fixture/foundFixtures.ts';
import { sign } from '../../../src/webhooks/signature/signature.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { setSetting } from '../../support/editor/inEditor.ts';

describe('where fixtures of the Test view go', () => {
  let destinations: Destinations;
  afterEach(async () => {
    destinations.dispose();
    await setSetting('listener.forwardTo', undefined);
  });

  it('is the address of their app, signed with the secret of each', async () => {
    await vscode.workspace
      .getConfiguration('runhook')
      .update('listener.forwardTo', 'http://127.0.0.1:9/', true);
    const [prompts, memento] = [new ScriptedPrompts(), new MemoryMemento()];
    destinations = new Destinations(memento, prompts);
    const secrets = ['the secret of one', 'the secret of another'];
    const held = secrets.map((secret, at): HeldSecret => {
      return { secret, owner: { kind: 'app', projectId: 'p', name: `app-${at}` } };
    });
    const listener = {
      destinations,
      secrets: () => Promise.resolve(held),
      state: { kind: 'stopped' as const },
    };
    const tests = secrets.flatMap((secret, at) => {
      const body = `{"n":${at}}`;
      const headers = {
        'x-request-id': 'r',
        'x-service-webhook-timestamp': '1',
        'x-service-webhook-signature': `v1,${sign(secret, 'r', '1', Buffer.from(body))}`,
      };
      return testsIn(`${at}.json`, () => JSON.stringify({ headers, body }));
    });
    const targets = await new TestTargets({ listener, prompts, memento }).of(tests);
    assert.deepEqual(
      tests.map((test) => targetFor(test, targets).secret),
      secrets,
    );
  });
});
