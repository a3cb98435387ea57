import { parentPort, workerData } from 'node:worker_threads';
import { type ExplanationWork, runExplanationThread } from './explanationThread.ts';

if (parentPort === null) throw new Error('explanation.worker runs as a worker thread.');
// The host of the same build started this thread: the data is what it says.
runExplanationThread(parentPort, workerData as ExplanationWork);
