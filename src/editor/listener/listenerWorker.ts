import { Worker } from 'node:worker_threads';
import { Channel, type Handlers } from '../../model/channel.ts';
import type { HostCalls, ListenerWorkerData, WorkerCalls } from '../../model/listenerProtocol.ts';

/** The listener's thread, as the host sees it. */
export class ListenerWorker {
  readonly channel: Channel<HostCalls, WorkerCalls>;
  readonly #worker: Worker;
  #ending = false;

  /**
   * @param file the bundle of webhooks/listener.worker
   * @param onDied the thread has ended without having been asked to
   */
  constructor(
    file: string,
    data: ListenerWorkerData,
    handlers: Handlers<WorkerCalls>,
    onDied: (reason: Error) => void,
  ) {
    this.#worker = new Worker(file, { workerData: data, name: 'runhook-listener' });
    this.channel = new Channel(this.#worker, handlers);
    let failure: Error | undefined;
    this.#worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on('exit', (code) => {
      const reason = failure ?? new Error(`The listener's thread ended with code ${code}.`);
      this.channel.close(reason);
      if (!this.#ending) onDied(reason);
    });
  }

  async end(): Promise<void> {
    this.#ending = true;
    try {
      await this.channel.request('end', null);
    } finally {
      await this.#worker.terminate();
    }
  }
}
