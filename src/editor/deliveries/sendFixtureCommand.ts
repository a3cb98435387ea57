import * as v from 'valibot';
import * as vscode from 'vscode';
import { parseHttpUrl } from '../../model/endpoints.ts';
import { UserError } from '../../model/userError.ts';
import { replay, resigningSecret } from '../../webhooks/replay.ts';
import type { Commands } from '../commands.ts';
import { DeclinedError } from '../declinedError.ts';
import { givenFile } from '../givenFile.ts';
import { commandIds } from '../ids.ts';
import type { Listener } from '../listener/listener.ts';
import { longWork } from '../longWork.ts';
import type { Prompts } from '../prompts.ts';
import { listFixtures, openFixture } from './fixtureFiles.ts';
import { FixtureLeave } from './fixtureLeave.ts';
import { tellSent } from './tellSent.ts';

/**
 * *Send Fixture…*: a saved delivery, to the local app or, where none is set, to the listener.
 * @param memento of the workspace: remembers what may leave this machine
 */
export function registerSendFixture(
  commands: Commands,
  listener: Listener,
  prompts: Prompts,
  memento: vscode.Memento,
): void {
  const leave = new FixtureLeave(memento, listener.destinations, prompts);
  commands.register(
    commandIds.sendFixture,
    v.object({
      /** The file's address; a path of this machine will do. */
      uri: v.optional(v.pipe(v.string(), v.nonEmpty())),
      to: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty())),
      /** Signs it now, with the secret kept here: its own signature grows stale. On unless it is false. */
      resign: v.optional(v.boolean(), true),
    }),
    async (argument) => {
      const uri = argument?.uri === undefined ? await askFixture(prompts) : await givenFile(argument.uri);
      const { method, headers, bytes } = await openFixture(uri);
      const held = (argument?.resign ?? true) ? await listener.secrets() : [];
      const { t } = vscode.l10n;
      const to = parseHttpUrl(await (await listener.sender()).address(argument?.to), t);
      const request = { method, rawHeaders: Object.entries(headers).flat(), body: bytes };
      const secret = resigningSecret(request, held);
      await leave.ask({ file: uri, method, headers, bytes, isSigned: secret !== undefined }, to);
      const sent = await longWork(t('Sending a fixture'), (signal) =>
        replay(request, to.href, secret, { now: Date.now, t, signal }),
      );
      return tellSent(sent);
    },
  );
}

async function askFixture(prompts: Prompts): Promise<vscode.Uri> {
  const { t } = vscode.l10n;
  const fixtures = await listFixtures();
  if (fixtures.length === 0) {
    throw new UserError(t('There is no fixture in this workspace. "Save Delivery as Fixture" makes one.'));
  }
  const picked = await prompts.pick(
    t('Send Fixture'),
    fixtures.map((uri) => ({
      label: uri.path.slice(uri.path.lastIndexOf('/') + 1),
      description: vscode.workspace.asRelativePath(uri),
      value: uri,
    })),
  );
  if (picked === undefined) throw new DeclinedError(t('No fixture was chosen.'));
  return picked;
}
