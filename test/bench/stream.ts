// Measures the memory of a process that reads, masks, stores and shows an answer of 1 GB, and how fast it can cancel one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AnswerStore } from '../../src/editor/run/answers/answerFile.ts';
import { ArrivingAnswer } from '../../src/editor/run/answers/arrivingAnswer.ts';
import { RunClient } from '../../src/service/client/runClient.ts';
import { createUndiciTransport } from '../../src/service/client/undiciTransport.ts';
import type { Run } from '../../src/service/runs/run.ts';
import { runUrl } from '../../src/service/runs/runUrl.ts';
import { jwt } from '../support/service/jwt.ts';

const megabyte = 1024 * 1024;
const goalMb = 30;
const goalCancelMs = 200;

const place = { projectId: 'p', appName: 'stream', path: 'run' };
const input = { ...place, method: 'POST', headers: {}, webhook: false };

/** The server runs in another process, so that its memory does not count. */
const server = `
  const event = Buffer.from('data: {"token": "so it goes on and on", "number": 12345}\\n\\n'.repeat(1000));
  const server = require('node:http').createServer((request, response) => {
    let left = Number(process.argv[1]);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => {
      while (left > 0) {
        left -= event.length;
        if (!response.write(event)) return void response.once('drain', more);
      }
      response.end();
    };
    request.resume().once('end', more);
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** Measures with an answer of that many megabytes. */
export async function stream(megabytes: number): Promise<string[]> {
  const child = spawn(process.execPath, ['-e', server, String(megabytes * megabyte)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const storage = await mkdtemp(join(tmpdir(), 'runhook-stream-'));
  const transport = createUndiciTransport({
    proxySupport: 'off',
    strictSsl: true,
    systemCertificates: false,
  });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const proxyUrl = `http://127.0.0.1:${port.toString().trim()}`;
    const client = new RunClient({
      transport: transport.send,
      token: jwt({ sub: 'bench' }),
      userAgent: 'bench',
    });
    const store = new AnswerStore(storage, (error) => console.error(error));

    /** Reads an answer as a visible run does. @param cancelAt the number of bytes after which to cancel */
    const read = async (cancelAt: number): Promise<{ most: number; ms: number; cancelMs: number }> => {
      const run: Run = { id: randomUUID(), input, startedAt: 0, outcome: { kind: 'running' } };
      const arriving = new ArrivingAnswer({ run, store }, { url: proxyUrl, results: [], isSandbox: false });
      const abort = new AbortController();
      const began = performance.now();
      let most = 0;
      let cancelledAt = 0;
      const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
      // The interval at which the editor updates a long answer.
      const show = setInterval(() => {
        assert.ok(arriving.shown);
      }, 1000);
      try {
        const call = { url: runUrl(proxyUrl, place), method: 'POST', headers: {}, body: '{}' };
        const { status, headers, body } = await client.run(call, abort.signal);
        const gathered = arriving.begin({ status, headers, afterMs: 1 });
        for await (const piece of body) {
          await gathered.push(piece);
          if (gathered.bytes < cancelAt || cancelledAt > 0) continue;
          // In another task, as a click is handled.
          setImmediate(() => {
            cancelledAt = performance.now();
            abort.abort();
          });
        }
        gathered.end();
      } catch (error) {
        if (!abort.signal.aborted) throw error;
      } finally {
        clearInterval(look);
        clearInterval(show);
      }
      const ended = performance.now();
      await arriving.end();
      return { most, ms: ended - began, cancelMs: cancelledAt === 0 ? 0 : performance.now() - cancelledAt };
    };

    // Warms up, so that loading and compiling is not measured.
    await read(16 * megabyte);
    await pause(500);
    const idle = process.memoryUsage.rss();
    const { most, ms } = await read(Infinity);
    const { cancelMs } = await read((megabytes / 20) * megabyte);
    const more = (most - idle) / megabyte;
    return [
      `${megabytes} MB in ${(ms / 1000).toFixed(1)} s, ${((megabytes * 1000) / ms).toFixed(0)} MB/s`,
      `idle ${(idle / megabyte).toFixed(0)} MB; at most ${more.toFixed(1)} MB more, goal ${goalMb}`,
      `cancelled in ${cancelMs.toFixed(0)} ms, goal ${goalCancelMs}`,
    ];
  } finally {
    await transport.close();
    child.kill();
    await rm(storage, { recursive: true });
  }
}
