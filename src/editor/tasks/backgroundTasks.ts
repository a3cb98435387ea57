import { plainText } from '../../model/text/plainText.ts';
import { failureText } from '../../model/service/failureReason.ts';
import { attemptColumns } from '../../model/service/webhookAttempt.ts';
import { listenerLines } from '../../model/processes/listenerState.ts';
import { t } from '../../model/text/l10n.ts';
import { DeliveryLines, type Listener } from '../listener/feature.ts';
import type { Log } from '../log.ts';
import type { Sandbox, SandboxState } from '../sandbox/feature.ts';
import { backgroundWork } from './backgroundWork.ts';
import type { TaskWork } from './taskTerminal.ts';

/** Listens, and writes a line for each delivery. */
export function listenWork(listener: Listener, log: Log): TaskWork {
  return backgroundWork({
    background: listener,
    starting: t('Starting the listener'),
    goesOn: t('The listener was running before this task, and keeps running.'),
    // Another window's listener is visible only after this window has joined it.
    look: () =>
      listener.join().catch((error: unknown) => {
        log.debug(`There is no listener to join: ${failureText(error)}`);
      }),
    linesOf: listenerLines,
    follow: (write) => new DeliveryLines(listener, (lines) => write(lines.map(({ text }) => text))),
  });
}

/** Serves the sandbox, and writes a line for each attempt to deliver a webhook. */
export function sandboxWork(sandbox: Sandbox): TaskWork {
  return backgroundWork({
    background: sandbox,
    starting: t('Starting the sandbox'),
    goesOn: t('The sandbox was running before this task, and keeps running.'),
    linesOf: sandboxLines,
    follow: (write) => sandbox.onDidAttempt((attempt) => write([attemptColumns(attempt)])),
  });
}

function sandboxLines(state: SandboxState): string[] {
  switch (state.kind) {
    case 'running': {
      const { baseUrl, projectId, apps } = state.address;
      const names = apps.map(({ name }) => plainText(name)).join(', ');
      return [t('The sandbox runs at {0}: project {1}, apps {2}.', baseUrl, projectId, names)];
    }
    case 'failed':
      return [state.reason];
    case 'stopped':
      return [t('The sandbox has stopped.')];
    case 'starting':
      return [];
  }
}
