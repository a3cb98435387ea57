import { Worker } from 'node:worker_threads';

/** Runs in a thread of its own, so that sending does not keep the extension host busy. */
const sender = `
const { connect } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const { port, requests, connections, yields } = workerData;
// Of this thread alone: that is what Linux takes the priority of the caller to be.
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
 * Sends all the requests over so many connections; resolves once each is answered with 200.
 * @param yields to every other thread of the machine, as a sender does that has a machine of its own; Linux only
 */
export function burst(
  port: number,
  requests: readonly string[],
  connections: number,
  yields = false,
): Promise<void> {
  const workerData = { port, requests, connections, yields };
  const thread = new Worker(sender, { eval: true, workerData });
  return new Promise((resolve, reject) => {
    thread.once('message', () => resolve());
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('The burst ended early.')));
  });
}
