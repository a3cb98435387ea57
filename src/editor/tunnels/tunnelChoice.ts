import { basename, isAbsolute } from 'node:path';
import type * as vscode from 'vscode';
import {
  type TunnelProgram,
  tunnelPrograms,
  type TunnelProvider,
} from '../../model/processes/tunnelState.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { UserError } from '../../model/text/userError.ts';
import { config } from '../config.ts';
import { settingIds } from '../ids.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Choice, Prompts } from '../prompts/prompts.ts';
import { type Codespace, codespaceOf } from '../../model/processes/codespace.ts';
import { findProgram } from '../../client/program/findProgram.ts';

/** How the listener is made public. */
export type TunnelWay =
  | { kind: 'program'; program: TunnelProgram; command: string }
  | { kind: 'codespace'; codespace: Codespace };

/** Keys of what was chosen and allowed before, on this machine across workspaces. */
const providerKey = 'tunnel.provider';
const allowedKey = 'tunnel.allowed';

/**
 * Chooses how the listener is made public: as the settings say, else with what is available. If there are several
 * ways, asks once and remembers the answer. Never downloads anything.
 * @throws UserError if no way is available, DeclinedError if the user declines
 */
export async function tunnelWay(
  prompts: Prompts,
  memento: vscode.Memento,
  wanted: TunnelProvider | 'auto',
): Promise<TunnelWay> {
  const ways = await allWays();
  const fitting = ways.filter((way) => wanted === 'auto' || providerOf(way) === wanted);
  const [only] = fitting;
  if (only === undefined) throw nothingFound(wanted);
  if (fitting.length === 1) return only;
  const last = memento.get<string>(providerKey);
  const remembered = fitting.find((way) => providerOf(way) === last);
  if (remembered !== undefined) return remembered;
  const choices = fitting.map((way): Choice<TunnelWay> => ({
    label: providerOf(way),
    description: way.kind === 'program' ? way.command : t('the address of this codespace'),
    value: way,
  }));
  const picked = await prompts.pick(t('Open the tunnel with'), choices);
  if (picked === undefined) throw new DeclinedError(t('No tunnel was opened.'));
  await memento.update(providerKey, providerOf(picked));
  return picked;
}

/** Asks whether the way may be used, unless it was allowed before. @throws DeclinedError if the user declines */
export async function allowTunnel(
  prompts: Prompts,
  memento: vscode.Memento,
  way: TunnelWay,
  port: number,
): Promise<void> {
  const allowed = memento.get<string[]>(allowedKey, []);
  const what = way.kind === 'program' ? way.command : way.codespace.visibilityCommand(port, 'public');
  const key = way.kind === 'program' ? way.command : 'codespaces';
  if (allowed.includes(key)) return;
  const agreed = await prompts.confirm(
    t('Make the webhook listener reachable from the internet?'),
    t(
      'Runhook runs {0}. While the tunnel is open, only deliveries that are signed with your secret are accepted.',
      plainText(what, 300),
    ),
    t('Open Tunnel'),
  );
  if (!agreed) throw new DeclinedError(t('No tunnel was opened.'));
  await memento.update(allowedKey, [...allowed, key]);
}

async function allWays(): Promise<TunnelWay[]> {
  const codespace = codespaceOf(process.env);
  const programs = config.tunnelCommand() === '' ? await onPath() : [await named(config.tunnelCommand())];
  return [...(codespace ? [{ kind: 'codespace', codespace } as const] : []), ...programs];
}

async function onPath(): Promise<TunnelWay[]> {
  const found = tunnelPrograms.map(async (program): Promise<TunnelWay[]> => {
    const command = await findProgram(program, process.env, process.platform);
    return command === undefined ? [] : [{ kind: 'program', program, command }];
  });
  return (await Promise.all(found)).flat();
}

/** The way with the program that the setting names, by its path or by a name on the PATH. */
async function named(program: string): Promise<TunnelWay> {
  const isName = basename(program) === program;
  const found = isName ? await findProgram(program, process.env, process.platform) : undefined;
  const command = isAbsolute(program) ? program : found;
  if (command === undefined) {
    throw new UserError(
      t('"{0}" is not a program. Set "runhook.tunnel.command" to its full path.', program),
      {
        remedies: [{ kind: 'openSettings', ids: [settingIds.tunnelCommand] }],
      },
    );
  }
  return { kind: 'program', program: programOf(command), command };
}

function providerOf(way: TunnelWay): TunnelProvider {
  return way.kind === 'codespace' ? 'codespaces' : way.program;
}

/** Which kind of program a command is: as the setting says, else by its name. */
function programOf(command: string): TunnelProgram {
  const provider = config.tunnelProvider();
  const program = tunnelPrograms.find(
    (one) => one === provider || (provider === 'auto' && basename(command).toLowerCase().startsWith(one)),
  );
  if (program !== undefined) return program;
  throw new UserError(t('Set "runhook.tunnel.provider" too: {0} may be cloudflared or ngrok.', command), {
    remedies: [{ kind: 'openSettings', ids: [settingIds.tunnelProvider] }],
  });
}

function nothingFound(wanted: TunnelProvider | 'auto'): UserError {
  const missing =
    wanted === 'auto'
      ? t('Neither cloudflared nor ngrok was found on the PATH.')
      : t('{0} was not found.', wanted);
  return new UserError(
    t(
      '{0} Install it, name it in "runhook.tunnel.command", or set "runhook.listener.publicUrl" to an address of your own.',
      missing,
    ),
    {
      brief: missing,
      remedies: [
        { kind: 'install', program: wanted === 'ngrok' ? 'ngrok' : 'cloudflared' },
        { kind: 'setPublicUrl' },
        { kind: 'openSettings', ids: [settingIds.tunnelCommand] },
      ],
    },
  );
}
