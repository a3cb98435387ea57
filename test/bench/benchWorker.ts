// The bundled thread of the listener, with a garbage collection to be asked for over memory that both sides see.
import { workerData } from 'node:worker_threads';

const { collect } = workerData as { collect: Int32Array };
setInterval(() => {
  if (Atomics.load(collect, 0) === 0) return;
  globalThis.gc?.();
  Atomics.store(collect, 0, 0);
}, 100).unref();

await import(new URL('../../dist/listener.worker.js', import.meta.url).href);
