import { Worker } from 'node:worker_threads';

/** Runs in a worker thread, so that sending does not block the extension host. */
const sender = `
const { connect } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { port, requests, connections, yields } = workerData;
// On Linux, priority 0 (the caller) applies to this thread only.
if (yields && process.platform === 'linux') require('node:os').setPriority(0, 19);
let next = 0;
let answered = 0;
for (let count = 0; count < connections; count += 1) {
  const socket = connect(port, '127.0.0.1');
  const send = () => (next < requests.length ? socket.write(requests[next++]) : socket.end());
  socket.on('connect', send).on('data', (answer) => {
    if (!answer.includes('HTTP/1.1 200')) throw new Error(String(answer));
    answered += 1;
    send();
  });
  socket.on('close', () => {
    if (answered === requests.length) parentPort.postMessage(answered);
  });
}
`;

/**
 * Sends the requests as fast as they are answered. Resolves when each was answered with 200.
 * @param lowPriority keeps the sender from taking processor time from other threads; Linux only
 */
export function sendBurst(
  port: number,
  requests: readonly string[],
  connections: number,
  lowPriority = false,
): Promise<void> {
  const workerData = { port, requests, connections, yields: lowPriority };
  const thread = new Worker(sender, { eval: true, workerData });
  return new Promise((resolve, reject) => {
    thread.once('message', () => resolve());
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The burst ended early.')));
  });
}
