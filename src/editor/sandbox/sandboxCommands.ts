import * as v from 'valibot';
import * as vscode from 'vscode';
import { sandboxFaults } from '../../contract/values.ts';
import { describeSandboxFault, type SandboxFault } from '../../model/service/sandboxFault.ts';
import { t } from '../../model/text/l10n.ts';
import type { SandboxAddress } from '../../model/service/sandboxProtocol.ts';
import { command } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { showBriefly } from '../showBriefly.ts';
import type { Sandbox } from './sandbox.ts';

const port = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535));

/** The commands that start and end the sandbox, give its tokens, and set its faults (an empty list clears them). */
export function sandboxCommands(sandbox: Sandbox, prompts: Prompts) {
  return {
    [commandIds.startSandbox]: command(v.object({ port: v.exactOptional(port) }), async (argument) => {
      const { baseUrl, proxyUrl, projectId, serviceAccountId, apps, ...rest } = await sandbox.start(argument);
      const serviceAccounts = rest.serviceAccounts.map(({ id, name, environment }) => ({
        id,
        name,
        environment,
      }));
      return { baseUrl, proxyUrl, projectId, serviceAccountId, apps, serviceAccounts };
    }),
    [commandIds.stopSandbox]: command(v.object({}), () => sandbox.stop()),
    [commandIds.resetSandbox]: command(v.object({}), () => sandbox.reset()),
    [commandIds.copyNewSandboxToken]: command(
      v.object({ projectId: v.exactOptional(v.string()), serviceAccountId: v.exactOptional(v.string()) }),
      (argument) => copyNewToken(sandbox, prompts, argument?.serviceAccountId),
    ),
    [commandIds.setSandboxFaults]: command(
      v.object({ faults: v.exactOptional(v.array(v.picklist(sandboxFaults))) }),
      async (argument) => {
        const faults = argument?.faults ?? (await askForFaults(prompts, sandbox));
        if (faults === undefined) return undefined;
        await sandbox.setFaults(faults);
        return { faults };
      },
    ),
  };
}

async function copyNewToken(
  sandbox: Sandbox,
  prompts: Prompts,
  given: string | undefined,
): Promise<{ expiresAt: string } | undefined> {
  const { address } = sandbox.running();
  const id = given ?? (await askForAccount(prompts, address));
  if (id === undefined) return undefined;
  const { token, expiresAt } = await sandbox.ask('newToken', { serviceAccountId: id });
  await vscode.env.clipboard.writeText(token);
  const name = address.serviceAccounts.find((account) => account.id === id)?.name ?? id;
  showBriefly(t('Copied a new token for {0}.', name));
  return { expiresAt };
}

function askForAccount(prompts: Prompts, { serviceAccounts }: SandboxAddress): Promise<string | undefined> {
  return prompts.pick(
    t('Whose token?'),
    serviceAccounts.map(({ id, name, environment }) => ({
      label: name,
      description: environment,
      value: id,
    })),
  );
}

function askForFaults(prompts: Prompts, sandbox: Sandbox): Promise<SandboxFault[] | undefined> {
  const { faults } = sandbox.running();
  return prompts.pickMany(
    t('Which faults should the sandbox simulate?'),
    sandboxFaults.map((fault) => ({
      label: fault,
      description: describeSandboxFault(fault),
      picked: faults.includes(fault),
      value: fault,
    })),
  );
}
