import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import {
  answerPrompts,
  command,
  eventually,
  setSetting,
  shownMessages,
  withSettings,
} from '../../support/editor/inEditor.ts';
import { statusBarMessagesDuring } from '../../support/editor/statusBarMessages.ts';

describe('replay', () => {
  /** The local app: what it got, and what it answers next. */
  let app: Server;
  let address: string;
  let bodies: string[] = [];
  let signatures: unknown[] = [];
  let status = 200;
  let said = '';

  before(async () => {
    app = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        bodies.push(text);
        signatures.push(request.headers['x-service-webhook-signature']);
        response.writeHead(status).end(said);
      });
    });
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(app.address() as AddressInfo).port}/hook`;
    await command('startListener', { port: 0 });
    await command('clearDeliveries', {});
    for (const n of [1, 2, 3]) await command('sendTestDelivery', { body: { n } });
  });

  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await new Promise((resolve) => app.close(resolve));
  });

  beforeEach(() => {
    bodies = [];
    signatures = [];
    status = 200;
    said = '';
  });

  const ids = async () => (await command<Delivery[]>('listDeliveries')).map(({ id }) => id);

  it('sends the same bytes to an address and tells its answer', async () => {
    const [newest] = await ids();
    status = 503;
    const sent = await command<{ status: number; durationMs: number }>('replayDelivery', {
      id: newest,
      to: address,
    });
    assert.equal(sent.status, 503);
    assert.ok(sent.durationMs >= 0);
    assert.deepEqual(bodies, ['{"n":3}']);
  });

  it('asks for the delivery, the way and the address where they are not given', async () => {
    const [newest] = await command<Delivery[]>('listDeliveries', { limit: 1 });
    await answerPrompts(newest!.path, 'To Another Address…', address);
    await command('replayDeliveryAs');
    assert.deepEqual(bodies, ['{"n":3}']);
    // The choices keep their order, and the address is there.
    await answerPrompts(newest!.path, 'To Another Address…', { kept: true });
    await command('replayDeliveryAs');
    assert.deepEqual(bodies, ['{"n":3}', '{"n":3}']);
  });

  it('tries again what was chosen, and asks for none of it again', async () => {
    const [newest] = await command<Delivery[]>('listDeliveries', { limit: 1 });
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const away = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/hook`;
    await new Promise((resolve) => closed.close(resolve));
    await shownMessages();
    await withSettings({ 'listener.forwardTo': away }, async () => {
      await answerPrompts(newest!.path, 'Signed Anew', { verb: 'Try Again' });
      await command('replayDeliveryAs');
      const told: string[] = [];
      await eventually(async () => {
        told.push(...(await shownMessages()).map(({ message }) => message));
        return told.length > 1 ? true : undefined;
      });
      assert.match(told[0] ?? '', /is not running/);
      assert.deepEqual(told, [told[0], told[0]]);
    });
  });

  it('signs again where that is chosen, and sends what came where not', async () => {
    const [newest] = await command<Delivery[]>('listDeliveries', { limit: 1 });
    await command('setWebhookSecret', { secret: 'another secret' });
    await withSettings({ 'listener.forwardTo': address }, async () => {
      for (const way of ['As It Came', 'Signed Anew']) {
        await answerPrompts(way);
        // As a row of the view hands it over.
        await command('replayDeliveryAs', { argument: { id: newest!.id } });
      }
    });
    const came = Object.entries(newest!.headers).find(([name]) => /webhook-signature$/i.test(name))?.[1];
    assert.equal(signatures[0], came);
    assert.notEqual(signatures[1], came);
  });

  it('rejects an address that is none', async () => {
    const [newest] = await ids();
    await assert.rejects(
      command('replayDelivery', { id: newest, to: 'ftp://127.0.0.1/' }),
      /not an http or https address/,
    );
  });

  it('sends a range, the oldest first', async () => {
    const [, middle] = await ids();
    const results = await command<{ status: number }[]>('replayDeliveries', { since: middle, to: address });
    assert.deepEqual(bodies, ['{"n":2}', '{"n":3}']);
    assert.deepEqual(
      results.map((one) => one.status),
      [200, 200],
    );
  });

  it('goes on after one that fails', async () => {
    const [newest] = await ids();
    const results = await command<{ id: string; error?: string }[]>('replayDeliveries', {
      ids: ['none', newest],
      to: address,
    });
    assert.equal(typeof results[0]!.error, 'string');
    assert.deepEqual(bodies, ['{"n":3}']);
  });

  it('sends all that failed in your handler', async () => {
    await withSettings(
      { 'listener.forwardTo': address },
      async () => {
        status = 500;
        await command('sendTestDelivery', { body: { n: 4 } });
        await until(
          async () => (await command<Delivery[]>('listDeliveries', { limit: 1 }))[0]?.forward?.status === 500,
        );
        bodies = [];
        status = 200;
        await answerPrompts('All that failed in your handler');
        await command('replayDeliveries');
        assert.deepEqual(bodies, ['{"n":4}']);
      },
      vscode.ConfigurationTarget.Workspace,
    );
  });

  it('rejects where there is nothing to replay', async () => {
    await assert.rejects(command('replayDeliveries', { failed: true, ids: [] }), /no delivery to replay/);
  });

  const signatureOf = ({ headers }: Delivery) => headers['x-service-webhook-signature'];

  /** A delivery that was signed some time ago. @param requestId its body, too */
  async function arrived(requestId: string, secondsAgo: number): Promise<Delivery> {
    const secret = 'of the old one';
    await command('setWebhookSecret', { secret });
    const { url } = await command<{ url: string }>('startListener', { port: 0 });
    const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
    const body = JSON.stringify({ requestId });
    const requested = await fetch(url, {
      method: 'POST',
      headers: {
        'X-Request-Id': requestId,
        'X-Service-Webhook-Timestamp': timestamp,
        'X-Service-Webhook-Signature': `v1,${sign(secret, requestId, timestamp, Buffer.from(body))}`,
      },
      body,
    });
    assert.equal(requested.status, 200);
    const [delivery] = await command<Delivery[]>('listDeliveries', { limit: 1 });
    return delivery!;
  }

  it('signs again what the handler has just called too old, though Runhook would take it', async () => {
    const delivery = await arrived('young', 60);
    const { id } = delivery;
    const wasSentAsItCame: boolean[] = [];
    const replay = async () => {
      await command('replayDelivery', { id, to: address });
      wasSentAsItCame.push(signatures.at(-1) === signatureOf(delivery));
    };
    status = 500;
    await replay();
    status = 401;
    said = 'invalid signature';
    await replay();
    said = 'timestamp too old';
    await replay();
    status = 200;
    await replay();
    assert.deepEqual(wasSentAsItCame, [true, true, true, false]);
  });

  it('signs again where the original signature would be refused by now, unless it is said how', async () => {
    await setSetting('listener.timestampToleranceSeconds', 0);
    const delivery = await arrived('old', 28 * 60);
    const { id } = delivery;
    const { url } = await command<{ url: string }>('startListener', { port: 0 });
    try {
      status = 401;
      await command('replayDelivery', { id, to: address });
      await command('replayDelivery', { id, to: address, resign: false });
      await command('replayDeliveries', { ids: [id], to: address });
      await setSetting('listener.forwardTo', address);
      // The click on a row asks nothing; of the choices, as it came is not what is active.
      await command('replayDelivery', { argument: { id } });
      await answerPrompts({ kept: true });
      await command('replayDeliveryAs', { argument: { id } });
      const came = signatureOf(delivery);
      assert.deepEqual(
        signatures.map((one) => one === came),
        [false, true, false, false, false],
      );
      // A rotation does the same.
      await setSetting('listener.timestampToleranceSeconds', undefined);
      await command('sendTestDelivery', { body: { fresh: true }, to: url });
      const [fresh] = await command<Delivery[]>('listDeliveries', { limit: 1 });
      await command('replayDelivery', { id: fresh!.id, to: address });
      assert.equal(signatures.at(-1), signatureOf(fresh!));
      await command('setWebhookSecret', { secret: 'after the rotation' });
      await command('replayDelivery', { id: fresh!.id, to: address });
      assert.notEqual(signatures.at(-1), signatureOf(fresh!));
    } finally {
      await setSetting('listener.timestampToleranceSeconds', undefined);
      await setSetting('listener.forwardTo', undefined);
    }
  });

  it('says who returned it: the handler, the listener alone, or the address that was named', async () => {
    const [newest] = await ids();
    const told = async (given: object = {}) => {
      const said = await statusBarMessagesDuring(() =>
        command('replayDelivery', { id: newest, resign: false, ...given }),
      );
      return said.map((text) => text.replace(/\d+ ms/, '1 ms'));
    };
    status = 503;
    assert.deepEqual(await told({ to: address }), [
      `$(warning) ${new URL(address).host} returned 503 in 1 ms.`,
    ]);
    await withSettings({ 'listener.forwardTo': address }, async () => {
      assert.deepEqual(await told(), ['$(warning) Your handler returned 503 in 1 ms.']);
    });
    assert.deepEqual(await told({ resign: true }), [
      '$(pass) The listener returned 200 in 1 ms; it forwards to no handler.',
    ]);
  });
});

/** Looks again every 20 ms until the condition holds; mocha ends the waiting. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
