import { t } from '../text/l10n.ts';

/** What VS Code replaces with a command's answer in tasks.json and launch.json: `${command:…}`, or `${input:…}`. */
export type ConfigurationCall = 'variable' | 'input';

/**
 * How VS Code calls a command to fill in a task or a launch configuration; undefined if the call does not look so.
 * For `${command:…}` it passes what it fills in: the launch configuration, or a list of the variables of a task.
 * For an input it passes only the arguments of that input, so they are compared with the inputs in the files.
 * @param given the arguments of the command
 * @param inputs the inputs in tasks.json and launch.json
 */
export function configurationCall(
  id: string,
  given: readonly unknown[],
  inputs: () => readonly unknown[],
): ConfigurationCall | undefined {
  const [first] = given;
  if (given.length !== 1) return undefined;
  if (isFilledIn(first) && JSON.stringify(first).includes(`\${command:${id}}`)) return 'variable';
  // Few inputs name a command: only the arguments of those are compared.
  return inputs().some((input) => isCallOf(id, first, input)) ? 'input' : undefined;
}

function isFilledIn(given: unknown): given is object {
  if (typeof given !== 'object' || given === null) return false;
  return Array.isArray(given) || ('type' in given && 'request' in given);
}

function isCallOf(id: string, argument: unknown, input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  const { type, command, args } = input as { type?: unknown; command?: unknown; args?: unknown };
  return type === 'command' && command === id && JSON.stringify(args) === JSON.stringify(argument);
}

/** Commands that answer with a text. */
const givesText: ReadonlySet<string> = new Set([
  'runhook.breakDelivery',
  'runhook.copyDeliveryAsCurl',
  'runhook.copyRunAs',
  'runhook.explainDelivery',
  'runhook.insertVerificationCode',
  'runhook.listenerUrl',
  'runhook.openPayload',
  'runhook.saveDeliveryAsFixture',
  'runhook.saveDraftAsFixture',
  'runhook.verifySignature',
  'runhook.webhookSecret',
]);

/** Commands that answer with an object, a list or a number. All others answer with nothing. */
const givesObject: ReadonlySet<string> = new Set([
  'runhook.addApp',
  'runhook.addProject',
  'runhook.addServiceAccount',
  'runhook.applyAppSettings',
  'runhook.applySettingsFile',
  'runhook.cancelRun',
  'runhook.checkPublicUrl',
  'runhook.clearRuns',
  'runhook.compareDeliveries',
  'runhook.compareWithPrevious',
  'runhook.compareWithPreviousRun',
  'runhook.copyNewSandboxToken',
  'runhook.createFixtures',
  'runhook.debugHandler',
  'runhook.findTokens',
  'runhook.giveTerminalsWebhookSecret',
  'runhook.listDeliveries',
  'runhook.listKeys',
  'runhook.openTunnel',
  'runhook.removeAllTokens',
  'runhook.replayDeliveries',
  'runhook.replayDelivery',
  'runhook.reset',
  'runhook.rotateToken',
  'runhook.runAgain',
  'runhook.runApp',
  'runhook.runFile',
  'runhook.runPayload',
  'runhook.saveAnswerAs',
  'runhook.sendDraftSigned',
  'runhook.sendDraftUnsigned',
  'runhook.sendFixture',
  'runhook.sendTestDelivery',
  'runhook.setForwardTo',
  'runhook.setSandboxFaults',
  'runhook.setToken',
  'runhook.showTimeline',
  'runhook.showWebhookAttempts',
  'runhook.startListener',
  'runhook.startSandbox',
  'runhook.writeWebhookSecret',
]);

/** What to use in these files instead of a command: another command, or a task of the type `runhook`. */
const instead: Readonly<Record<string, { command: string } | { task: string }>> = {
  'runhook.startListener': { command: 'runhook.listenerUrl' },
  'runhook.copyWebhookSecret': { command: 'runhook.webhookSecret' },
  'runhook.giveTerminalsWebhookSecret': { command: 'runhook.webhookSecret' },
  'runhook.startSandbox': { task: 'sandbox' },
  'runhook.applyAppSettings': { task: 'apply' },
  'runhook.applySettingsFile': { task: 'apply' },
  'runhook.runApp': { task: 'run' },
  'runhook.runPayload': { task: 'run' },
  'runhook.runFile': { task: 'run' },
  'runhook.sendFixture': { task: 'send' },
};

/**
 * Why VS Code cannot use the answer of a command: it takes only a text. If the command of a `${command:…}` answers
 * with nothing, VS Code silently drops what was started; for an input, that is a valid answer.
 */
export function withoutTextProblem(id: string, call: ConfigurationCall): string | undefined {
  if (call === 'variable' ? givesText.has(id) : !givesObject.has(id)) return undefined;
  const problem = t('{0} gives no text that tasks.json or launch.json can take. Nothing was done.', id);
  return `${problem} ${alternativeText(id)}`;
}

function alternativeText(id: string): string {
  const other = instead[id];
  if (other === undefined) return t('Call it by a keybinding or from the palette instead.');
  return 'command' in other
    ? t('Use {0} there.', `\${command:${other.command}}`)
    : t('Use a task of the type "runhook" instead, with {0}.', `"task": "${other.task}"`);
}
