import { parentPort, workerData } from 'node:worker_threads';
import type { ListenerWorkerData } from '../model/listenerProtocol.ts';
import { runListenerThread } from './listenerThread.ts';

if (parentPort === null) throw new Error('listener.worker runs as a worker thread.');
// The host of the same build started this thread: the data is what it says.
runListenerThread(parentPort, workerData as ListenerWorkerData);
