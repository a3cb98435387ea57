import * as v from 'valibot';
import * as vscode from 'vscode';
import { describeSandboxFault, type SandboxFault, sandboxFaults } from '../../model/sandboxFault.ts';
import type { Commands } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Prompts } from '../prompts.ts';
import type { Sandbox } from './sandbox.ts';

const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535));

/** Registers the commands that start and end the sandbox and decide how it misbehaves: an empty list ends that. */
export function registerSandboxCommands(commands: Commands, sandbox: Sandbox, prompts: Prompts): void {
  commands.register(commandIds.startSandbox, v.object({ port: v.exactOptional(port) }), async (argument) => {
    const { baseUrl, proxyUrl, projectId, serviceAccountId, apps } = await sandbox.start(argument);
    return { baseUrl, proxyUrl, projectId, serviceAccountId, apps };
  });
  commands.register(commandIds.stopSandbox, v.object({}), () => sandbox.stop());
  commands.register(commandIds.resetSandbox, v.object({}), () => sandbox.reset());
  commands.register(
    commandIds.setSandboxFaults,
    v.object({ faults: v.exactOptional(v.array(v.picklist(sandboxFaults))) }),
    async (argument) => {
      const faults = argument?.faults ?? (await askForFaults(prompts, sandbox));
      if (faults === undefined) return undefined;
      await sandbox.setFaults(faults);
      return { faults };
    },
  );
}

function askForFaults(prompts: Prompts, sandbox: Sandbox): Promise<SandboxFault[] | undefined> {
  const { faults } = sandbox.running();
  return prompts.pickMany(
    vscode.l10n.t('How shall the sandbox misbehave?'),
    sandboxFaults.map((fault) => ({
      label: fault,
      description: describeSandboxFault(fault, vscode.l10n.t),
      picked: faults.includes(fault),
      value: fault,
    })),
  );
}
