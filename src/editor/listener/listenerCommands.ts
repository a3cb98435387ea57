import type { Argument } from '../../contract/commands.ts';
import type { CommandsOf } from '../kit/commands.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Services } from '../kit/services.ts';
import type { Prompts } from '../kit/prompts.ts';
import { showBriefly } from '../kit/progress.ts';
import type { DeliveriesOutput } from './output/deliveriesOutput.ts';
import { forwardToCommand } from './routes/forwardToCommand.ts';
import { appSecretCommands, secretCommands } from './secrets/secretCommands.ts';
import type { TerminalSecret } from './secrets/terminalSecret.ts';
import { WrittenFiles } from './secrets/envFile.ts';

/** The commands of the listener and its secrets. */
export function listenerCommands(
  services: Services,
  terminals: TerminalSecret,
  output: DeliveriesOutput,
  gitProgram: () => Promise<string | undefined>,
): CommandsOf<'listener'> {
  const { listener, prompts, context, secrets, projects } = services;
  const ofSecrets = {
    ...services,
    terminals,
    files: new WrittenFiles(context.workspaceState, secrets, projects),
  };
  return {
    ...secretCommands(ofSecrets),
    ...appSecretCommands(ofSecrets, gitProgram),
    ...forwardToCommand(listener, prompts),
    startListener: async (argument, from) => {
      const before = listener.state;
      const now = await listener.start(argument);
      if (from !== 'caller' && before.kind === 'listening' && before.port === now.port) {
        showBriefly(t('The listener is running on {0}.', now.url));
      }
      return now;
    },
    // The local URL: a task or launch configuration that asks for it runs on this machine. `startListener` returns
    // the public URL.
    listenerUrl: async () => (await listener.start()).url,
    stopListener: () => listener.stop(),
    showOutput: () => output.show(),
    setNextResponses: async (argument) => {
      const next = argument ?? (await askForResponse(prompts));
      if (next === undefined) return;
      await listener.setNextResponses(next);
      if (argument === undefined) showBriefly(t('The next delivery gets this response.'));
    },
  };
}

async function askForResponse(prompts: Prompts): Promise<Argument<'setNextResponses'> | undefined> {
  const again = t('the service tries again');
  const never = t('the service does not try again');
  const response = await prompts.pick<number | 'hang' | 'drop'>(t('What the listener returns next'), [
    { label: '404', description: again, value: 404 },
    { label: '500', description: never, value: 500 },
    { label: '400', description: never, value: 400 },
    { label: '302', description: again, value: 302 },
    { label: t('No response'), description: again, value: 'hang' },
    { label: t('Close the connection'), description: again, value: 'drop' },
  ]);
  return response === undefined ? undefined : { response, times: 1 };
}
