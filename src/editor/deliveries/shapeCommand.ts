import * as v from 'valibot';
import { shapeOf } from '../../model/deliveries/envelopeShape.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { command } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Listener } from '../listener/feature.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { Sandbox } from '../sandbox/feature.ts';
import { showBriefly } from '../showBriefly.ts';
import { pickDelivery } from './view/pickDelivery.ts';

/** *Use as Sandbox Shape*: from then on, an app of the sandbox sends webhooks with the fields of a real delivery. */
export function shapeCommands(listener: Listener, prompts: Prompts, sandbox: Sandbox) {
  return {
    [commandIds.useAsSandboxShape]: command(
      v.object({ id: v.optional(v.string()), appName: v.exactOptional(v.string()) }),
      async (given) => {
        const delivery = await pickDelivery(listener, prompts, t('Use as Sandbox Shape'), given?.id);
        const { body, bodyEncoding, runId, appName } = delivery;
        // Before any question: not every body can be a shape.
        const shape = shapeOf(bodyEncoding === undefined ? body : '', {
          ...(runId !== undefined && { runId }),
          ...(appName !== undefined && { appName }),
        });
        const app = given?.appName ?? (await appOfSandbox(sandbox, prompts, appName));
        await sandbox.setShape(app, shape);
        showBriefly(t('The app {0} of the sandbox now sends what has this shape.', plainText(app)));
        return { appName: app };
      },
    ),
  };
}

/** The app of this name if the sandbox has it, else the one that the user picks. */
async function appOfSandbox(
  sandbox: Sandbox,
  prompts: Prompts,
  appName: string | undefined,
): Promise<string> {
  const { address, shaped } = sandbox.running();
  const names = address.apps.map(({ name }) => name);
  if (appName !== undefined && names.includes(appName)) return appName;
  const items = names.map((name) => ({
    label: plainText(name),
    ...(shaped.includes(name) && { description: t('has the shape of a real delivery') }),
    value: name,
  }));
  // Apps that already have the shape of a real delivery come first.
  const [before, others] = [items.filter((one) => one.description), items.filter((one) => !one.description)];
  const picked = await prompts.pick(t('Which app of the sandbox should send this shape?'), [
    ...before,
    ...others,
  ]);
  if (picked === undefined) throw new DeclinedError(t('No app was chosen.'));
  return picked;
}
