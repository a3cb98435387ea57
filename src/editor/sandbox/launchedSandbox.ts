import { Worker } from 'node:worker_threads';
import { Channel, type Handlers } from '../../model/processes/channel.ts';
import { failureText } from '../../model/service/failureReason.ts';
import type {
  IssuedTokens,
  LocalApps,
  SandboxAddress,
  SandboxCalls,
  SandboxNews,
} from '../../model/service/sandboxProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import type { Log } from '../log.ts';
import { PortTakenError, retryPort } from '../../client/program/retryPort.ts';

/** A worker thread that runs the sandbox, from its launch to its end. */
export class LaunchedSandbox {
  readonly channel: Channel<SandboxCalls, SandboxNews>;
  readonly #worker: Worker;

  /**
   * @param workerPath the worker's bundle
   * @param onEnd called once the thread has ended, for whatever reason
   */
  constructor(workerPath: string, news: Handlers<SandboxNews>, log: Log, onEnd: (reason: UserError) => void) {
    const worker = new Worker(workerPath, { name: 'runhook-sandbox' });
    this.#worker = worker;
    this.channel = new Channel<SandboxCalls, SandboxNews>(worker, news);
    let cause = t('its thread ended');
    worker.on('error', (error: Error) => {
      cause = failureText(error);
      log.error(error);
    });
    worker.on('exit', () => {
      const reason = new UserError(t('The sandbox ended: {0}', cause), {
        remedies: [{ kind: 'startSandbox' }, { kind: 'showLog' }],
      });
      this.channel.close(reason);
      onEnd(reason);
    });
  }

  /**
   * Serves on the requested port, else on the previous one, else on any free one: addresses of the sandbox stay valid
   * as long as its previous port is free.
   * @param waitsMs how long to wait before each retry while a port is taken
   */
  async listen(
    holds: { apps: LocalApps; projectId: string; issued: IssuedTokens | undefined },
    { port, before, waitsMs }: { port: number | undefined; before: number; waitsMs: readonly number[] },
  ): Promise<SandboxAddress> {
    const listen = (at: number) =>
      retryPort(at, waitsMs, (free) => this.channel.request('start', { port: free, ...holds }));
    if (port !== undefined) return listen(port);
    try {
      return await listen(before);
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      return listen(0);
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
