import { parentPort } from 'node:worker_threads';
import { runSandboxThread } from './sandboxThread.ts';

if (parentPort === null) throw new Error('sandbox.worker runs as a worker thread.');
runSandboxThread(parentPort);
