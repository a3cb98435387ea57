import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { answerPrompts, command, setSetting, shownMessages } from '../../support/editor/inEditor.ts';
import { createLocalCa, type LocalCa } from '../../support/http/localCa.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const setting = 'listener.acceptLocalCertificates';

describe('a local app whose certificate is not trusted', () => {
  let ca: LocalCa;
  let app: Server;
  const settings = () => vscode.workspace.getConfiguration('runhook');
  const setForUser = (id: string, value: unknown) => setSetting(id, value);

  before(async () => {
    ca = createLocalCa('localhost');
    app = createServer({ key: ca.key, cert: ca.cert }, (_, response) => response.end('ok'));
    app.listen(0, '127.0.0.1');
    await once(app, 'listening');
    const { port } = app.address() as AddressInfo;
    await setForUser('listener.forwardTo', `https://localhost:${port}/hook`);
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
    await command('sendTestDelivery', { body: { run_id: 'r-1' } });
  });
  after(async () => {
    for (const id of [setting, 'listener.forwardTo']) await setForUser(id, undefined);
    await command('clearDeliveries', {});
    await command('stopListener');
    app.close();
    ca.dispose();
  });

  it('is not handed anything, which is said in words, until a replay has it accepted in the user settings', async () => {
    const [delivery] = await waitFor('the forward', async () => {
      const all = await command<Delivery[]>('listDeliveries');
      return all[0]?.forward === undefined ? undefined : all;
    });
    assert.equal(delivery?.forward?.error, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    await shownMessages();
    await answerPrompts({ verb: 'Accept Local Certificates' });
    // As a row of the view hands it over.
    await command('replayDelivery', { argument: { id: delivery.id } });
    const [message] = await shownMessages();
    assert.match(message?.message ?? '', /certificate not trusted/);
    const [again] = await waitFor('the replay', async () => {
      const all = await command<Delivery[]>('listDeliveries');
      return all[0]?.forward?.status === undefined ? undefined : all;
    });
    assert.equal(again?.forward?.status, 200);
    assert.equal(settings().inspect(setting)?.globalValue, true);
  });
});
