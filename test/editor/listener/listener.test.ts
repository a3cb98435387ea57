import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../../src/api.ts';
import {
  answerPrompts,
  command,
  eventually,
  expectMessage,
  setSetting,
} from '../../support/editor/inEditor.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { attachSecondWindow, ownProgramFolder } from '../../support/listener/secondWindow.ts';
import { sendBurst } from '../../support/listener/sendBurst.ts';
import { waitFor } from '../../support/time/waitFor.ts';

interface Listening {
  port: number;
  url: string;
  publicUrl?: string;
}

const deliveries = (): Thenable<Delivery[]> => command<Delivery[]>('listDeliveries');

function set(name: string, value: unknown): Thenable<void> {
  return setSetting(name, value);
}

function signed(secret: string, requestId: string, body: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000).toString();
  return {
    'X-Request-Id': requestId,
    'X-Service-Webhook-Timestamp': timestamp,
    'X-Service-Webhook-Signature': `v1,${sign(secret, requestId, timestamp, Buffer.from(body))}`,
  };
}

/** Sends a delivery signed with a secret; resolves with the status. */
function deliver(url: string, secret: string, requestId: string, body = '{}'): Promise<number> {
  const headers = signed(secret, requestId, body);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

async function api(): Promise<RunhookApi> {
  const extension = vscode.extensions.getExtension<RunhookApi>('runhook.runhook');
  assert.ok(extension, 'the extension is not there');
  return extension.activate();
}

describe('the listener in the editor', () => {
  let listening: Listening;
  beforeEach(async () => {
    await command('setWebhookSecret', { secret: 'first secret' });
    listening = await command<Listening>('startListener', { port: 0 });
    await command('clearDeliveries');
  });
  afterEach(async () => {
    await command('stopListener');
  });

  it('is that of another window too, which starts it again after a stop', async () => {
    const runhook = await api();
    const folder = await ownProgramFolder();
    await command('stopListener');
    assert.equal(runhook.listenerState.kind, 'stopped');
    const extension = vscode.extensions.getExtension('runhook.runhook')!;
    const { version } = extension.packageJSON as { version: string };
    const { peer } = await attachSecondWindow(
      folder,
      join(extension.extensionPath, 'dist/runhook.js'),
      version,
    );
    try {
      const { port } = await peer.call.listen({ port: 0 });
      await eventually(() => (runhook.listenerState.kind === 'listening' ? true : undefined));
      assert.equal((await command<Listening>('startListener')).port, port);
    } finally {
      peer.close();
    }
  });

  it('takes a delivery, keeps it and tells of it', async () => {
    const runhook = await api();
    const received: Delivery[] = [];
    const subscription = runhook.onDidReceiveDelivery((delivery) => received.push(delivery));
    try {
      assert.equal(await deliver(listening.url, 'first secret', 'r-1', '{"run_id":"run-1"}'), 200);
      await waitFor('the event', () => received.length === 1);
    } finally {
      subscription.dispose();
    }
    const [kept] = await runhook.listDeliveries();
    assert.deepEqual(received[0], kept);
    assert.equal(kept?.verdict, 'verified');
    assert.equal(kept.runId, 'run-1');
    assert.equal(kept.requestId, 'r-1');
  });

  it('starts once, and tells where it listens', async () => {
    assert.equal(listening.url, `http://127.0.0.1:${listening.port}/`);
    assert.deepEqual(await command('startListener'), listening);
    assert.deepEqual(await command('startListener', { port: listening.port }), listening);
    assert.deepEqual((await api()).listenerState, { kind: 'listening', ...listening });
  });

  it('moves to another port', async () => {
    const free = await freePort();
    const moved = await command<Listening>('startListener', { port: free });
    assert.equal(moved.port, free);
    await assert.rejects(deliver(listening.url, 'first secret', 'r-1'), { code: 'ECONNREFUSED' });
    assert.equal(await deliver(moved.url, 'first secret', 'r-1'), 200);
  });

  it('keeps what it has over a stop and a start', async () => {
    await deliver(listening.url, 'first secret', 'r-1');
    await command('stopListener');
    assert.deepEqual((await api()).listenerState, { kind: 'stopped' });
    await assert.rejects(deliver(listening.url, 'first secret', 'r-2'), { code: 'ECONNREFUSED' });
    const again = await command<Listening>('startListener', { port: listening.port });
    assert.equal(again.port, listening.port);
    assert.equal((await deliveries()).length, 1);
  });

  it('says which port is taken, shows it, and starts on another', async () => {
    const other = await occupyPort();
    const { port } = other.address() as AddressInfo;
    try {
      const isTaken = new RegExp(`Port ${port} is in use`);
      await command('stopListener');
      await assert.rejects(command('startListener', { port }), isTaken);
      const { listenerState } = await api();
      assert.equal(listenerState.kind, 'failed');
      // Without an argument it offers another port.
      await set('listener.port', port);
      await answerPrompts({ verb: 'Use Another Port' });
      await expectMessage(command('startListener'), isTaken);
      await eventually(async () => ((await api()).listenerState.kind === 'listening' ? true : undefined));
      const again = await command<Listening>('startListener');
      assert.notEqual(again.port, port);
      assert.equal(await deliver(again.url, 'first secret', 'r-1'), 200);
    } finally {
      await set('listener.port', undefined);
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it('refuses ports and secrets that are none', async () => {
    for (const port of [-1, 65536, 1.5, '80']) {
      await assert.rejects(command('startListener', { port }), /is not valid/);
    }
    await assert.rejects(command('setWebhookSecret', { secret: '' }), /empty/);
    await assert.rejects(command('setWebhookSecret', { secret: 'a\ud83d' }), /half a character/);
    assert.equal(await deliver(listening.url, 'first secret', 'r-1'), 200);
  });

  it('verifies with the UTF-8 bytes of any secret, those that no header carries too', async () => {
    for (const secret of ['sécrèt-✓', '→', 'a\n', ' a', 'x'.repeat(4096)]) {
      await command('setWebhookSecret', { secret });
      assert.equal(await deliver(listening.url, secret, 'r-1'), 200);
    }
  });

  it('rotates: the secret before still verifies and the delivery says so, older ones do not', async () => {
    await command('rotateWebhookSecret', {});
    await command('copyWebhookSecret');
    const rotated = await vscode.env.clipboard.readText();
    assert.notEqual(rotated, 'first secret');
    assert.equal(await deliver(listening.url, rotated, 'r-1'), 200);
    assert.equal(await deliver(listening.url, 'first secret', 'r-2'), 200);
    const [byPrevious, byCurrent] = await deliveries();
    assert.equal(byCurrent?.reason, undefined);
    assert.match(byPrevious?.reason ?? '', /before the last rotation/);
    await command('rotateWebhookSecret', {});
    assert.equal(await deliver(listening.url, 'first secret', 'r-3'), 401);
  });

  it('goes by changed settings at once', async () => {
    try {
      await set('listener.acceptUnverified', true);
      await waitFor('200', async () => (await deliver(listening.url, 'other', 'r-1')) === 200);
      await set('listener.maxBodyBytes', 10);
      await waitFor(
        '413',
        async () => (await deliver(listening.url, 'other', 'r-2', 'x'.repeat(11))) === 413,
      );
      await set('deliveries.keep', 1);
      await deliver(listening.url, 'other', 'r-3');
      await waitFor('one delivery', async () => (await deliveries()).length === 1);
    } finally {
      await set('listener.acceptUnverified', undefined);
      await set('listener.maxBodyBytes', undefined);
      await set('deliveries.keep', undefined);
    }
  });

  it('says why a delivery does not verify', async () => {
    assert.equal(await deliver(listening.url, 'first secret\n', 'r-1'), 401);
    const [mismatch] = await deliveries();
    assert.equal(mismatch?.verdict, 'mismatch');
    assert.match(mismatch.reason ?? '', /newline/);
  });

  it('answers as ordered', async () => {
    await command('setNextResponses', { response: 404, times: 1 });
    // An id of its own: one that came before is remembered, though it was cleared.
    assert.equal(await deliver(listening.url, 'first secret', 'r-ordered'), 404);
    assert.equal(await deliver(listening.url, 'first secret', 'r-ordered'), 200);
    const [repeat, first] = await deliveries();
    assert.equal(repeat?.repeatOf, first?.id);
    for (const wrong of [{ response: 99, times: 1 }, { response: 'later', times: 1 }, { response: 200 }]) {
      await assert.rejects(command('setNextResponses', wrong), /is not valid/);
    }
  });

  it('writes what the local app answers to a repeat that is forwarded again', async () => {
    // Slower than the host is told of the delivery, quicker than its line waits.
    const app = createServer((_, response) => {
      setTimeout(() => response.writeHead(answers.shift() ?? 500).end(), 150);
    });
    const answers = [500, 204];
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    const { port } = app.address() as AddressInfo;
    await command('showOutput');
    const lines = (pattern: RegExp): string[] => {
      const output = vscode.workspace.textDocuments.find(
        ({ languageId }) => languageId === 'runhook-deliveries',
      );
      return (output?.getText() ?? '').split('\n').filter((line) => pattern.test(line));
    };
    try {
      await set('listener.forwardTo', `http://127.0.0.1:${port}/`);
      // Has the thread go by the setting before it returns.
      await command('copyWebhookSecret');
      const body = '{"run_id":"run-repeated"}';
      for (const answer of ['500', '204']) {
        await deliver(listening.url, 'first secret', 'r-repeated', body);
        await waitFor(`the line with ${answer}`, () => {
          return lines(/run-repeated/).some((line) => line.includes(`→ 127.0.0.1:${port} ${answer}`));
        });
      }
      const [, repeat] = lines(/run-repeated/);
      assert.match(repeat ?? '', /↻ verified .* repeat of \d\d:\d\d:\d\d\.\d{3} → 127/);
    } finally {
      await set('listener.forwardTo', undefined);
      app.closeAllConnections();
      app.close();
    }
  });

  it('says that the local app is not running, and what the app answered once it is', async () => {
    await command('showOutput');
    const output = await waitFor('the output', () =>
      vscode.workspace.textDocuments.find(({ languageId }) => languageId === 'runhook-deliveries'),
    );
    const port = await freePort();
    try {
      await set('listener.forwardTo', `http://127.0.0.1:${port}/hook`);
      await waitFor('the hint', () => output.getText().includes(`Nothing responds at 127.0.0.1:${port} yet`));
      assert.equal(await deliver(listening.url, 'first secret', 'r-down'), 200);
      await waitFor('the line', () => /127\.0\.0\.1:\d+ is not running: kept, Replay/.test(output.getText()));
      await waitFor('the error', async () => (await deliveries())[0]?.forward?.error === 'ECONNREFUSED');
      const app = createServer((received, response) =>
        received.resume().on('end', () => response.end('thanks')),
      );
      await new Promise<void>((resolve) => app.listen(port, '127.0.0.1', resolve));
      try {
        assert.equal(await deliver(listening.url, 'first secret', 'r-up'), 200);
        await waitFor('the answer', async () => (await deliveries())[0]?.forward?.answer === 'thanks');
      } finally {
        await new Promise((resolve) => app.close(resolve));
      }
    } finally {
      await set('listener.forwardTo', undefined);
    }
  });

  it('writes a line for each of 3,000 deliveries in a burst, each once', async () => {
    await command('showOutput');
    const output = await waitFor('the output', () =>
      vscode.workspace.textDocuments.find(({ languageId }) => languageId === 'runhook-deliveries'),
    );
    const count = 3000;
    const written = (): string[] => [...output.getText().matchAll(/burst-\d+/g)].map(([mark]) => mark);
    const requests = Array.from({ length: count }, (_, index) => {
      const requestId = `burst-${index}`;
      const body = `{"run_id":"${requestId}"}`;
      const lines = Object.entries({
        Host: 'x',
        'Content-Length': body.length,
        ...signed('first secret', requestId, body),
      });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return `POST / HTTP/1.1\r\n${head}\r\n${body}`;
    });
    await sendBurst(listening.port, requests, 32);
    await waitFor('the last line', () => output.lineCount > count && written().length >= count);
    const marks = written();
    assert.equal(marks.length, count);
    assert.equal(new Set(marks).size, count);
  });
});

async function occupyPort(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function freePort(): Promise<number> {
  const server = await occupyPort();
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
