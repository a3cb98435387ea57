import * as v from 'valibot';
import type { Delivery, WholeDelivery } from '../contract/delivery.ts';
import { type DeliveryWaitParts, waitForDelivery } from '../deliveries/deliveryWait.ts';
import type { Answer } from '../deliveries/listenerProtocol.ts';
import { verdictText } from '../deliveries/verdictText.ts';
import type { AccountRef, Project } from '../service/projects/project.ts';
import { validate } from '../service/settings/appSettings.ts';
import { maskJson, maskSecrets } from '../shared/masking/likelySecrets.ts';
import { SecretMask } from '../shared/masking/secretMask.ts';
import { t } from '../shared/text/l10n.ts';
import { UserError } from '../shared/text/userError.ts';
import { valueProblem } from '../shared/text/valueProblem.ts';
import {
  type ToolInput,
  loopbackUrl,
  toldDelivery,
  toolErrorText,
  type toolInputs,
  toolText,
} from './toolValues.ts';

/** How many deliveries are listed, and for how many seconds one is waited for, where a model says nothing else. */
const [usualLimit, usualSeconds] = [20, 60];

/** Where tools act: in a window of the editor, or in the server that an agent has started. */
export interface ToolHost {
  projects(): readonly Project[];
  listKeys(account: AccountRef, signal: AbortSignal): unknown;
  applySettings(change: ToolInput<'applySettings'>, signal: AbortSignal): unknown;
  runApp(call: ToolInput<'runApp'>, signal: AbortSignal): Promise<RunResult>;
  deliverHere(runId: string): unknown;
  newest(limit: number): Promise<readonly WholeDelivery[]>;
  /** With its body. */
  whole(id: string): WholeDelivery | Promise<WholeDelivery>;
  explanation(id: string, signal: AbortSignal): Promise<string>;
  waiting(): DeliveryWaitParts;
  /** @param to on this machine */
  sendTest(test: { to?: string; body?: unknown }, signal: AbortSignal): unknown;
  delivery(id: string): Delivery | Promise<Delivery>;
  /** Where the deliveries of an app are forwarded. @throws UserError if that is nowhere */
  handlerOf(appName: string | undefined): string;
  /** @param to on this machine */
  replay(delivery: { id: string; to: URL; resign: boolean }, signal: AbortSignal): Promise<Answer>;
}

/** What a run gives. What the app has written is not masked yet. */
interface RunResult {
  headers: Record<string, string>;
  body: unknown;
  /** The JSON text, if the value loses digits of a number. */
  bodyText?: string;
}

/** What tools do. Each throws a UserError for the model, and the signal's reason if it is aborted. */
export type ToolWork<Inputs extends Record<keyof Inputs, v.GenericSchema>> = {
  [Name in keyof Inputs]: (input: v.InferOutput<Inputs[Name]>, signal: AbortSignal) => unknown;
};

/** What the tools do that each host has, whoever calls them. */
export function toolWork(host: ToolHost): ToolWork<typeof toolInputs> {
  return {
    listProjects: () => host.projects(),
    listKeys: (account, signal) => host.listKeys(account, signal),
    validateSettings: ({ settings }) => {
      const result = validate(settings);
      if (result.ok) return result;
      return { ok: false, problems: result.problems.map(({ field, text }) => ({ field, problem: text })) };
    },
    applySettings: (change, signal) => host.applySettings(change, signal),
    runApp: async (call, signal) => {
      const { headers, body, bodyText, ...result } = await host.runApp(call, signal);
      const exact = bodyText === undefined ? {} : { bodyText: maskSecrets(bodyText) };
      // The response may contain text that looks like a token, though it is not one that is held.
      // guard S109: What looks like a token or secret is masked in deliveries and answers of apps.
      return { ...result, headers: maskJson(headers), body: maskJson(body), ...exact };
    },
    deliverHere: ({ runId }) => host.deliverHere(runId),
    listDeliveries: async ({ limit = usualLimit }) => (await host.newest(limit)).map(toldDelivery),
    getDelivery: async ({ id }) => toldDelivery(await host.whole(id)),
    explainDelivery: ({ id }, signal) => host.explanation(id, signal),
    waitForDelivery: async ({ runId, timeoutSeconds = usualSeconds }, signal) => {
      const result = await waitForDelivery(host.waiting(), runId, timeoutSeconds, signal);
      return 'notDelivered' in result ? result : toldDelivery(result);
    },
    // guard S153: What an agent has sent goes to this machine alone.
    sendTestDelivery: ({ to, ...rest }, signal) =>
      host.sendTest({ ...rest, ...(to !== undefined && { to: loopbackUrl(to).href }) }, signal),
    replayDelivery: async ({ id, resign = false }, signal) => {
      const { to } = await replayed(host, { id, resign });
      signal.throwIfAborted();
      const { status, durationMs, body } = await host.replay({ id, to, resign }, signal);
      return { to: to.href, status, durationMs, answer: maskSecrets(body) };
    },
  };
}

/** What a replay sends and where: to the handler, and nowhere else, even if the model was manipulated. @throws UserError */
export async function replayed(
  host: Pick<ToolHost, 'delivery' | 'handlerOf'>,
  { id, resign = false }: ToolInput<'replayDelivery'>,
): Promise<{ delivery: Delivery; to: URL }> {
  const delivery = await host.delivery(id);
  const { appName, verdict } = delivery;
  const to = loopbackUrl(host.handlerOf(appName));
  // A stranger may have sent it: signed again, it would look like one from the service.
  // guard S114: Only a delivery that verified on arrival is signed again.
  if (!resign || verdict === 'verified' || verdict === 'stale') return { delivery, to };
  throw new UserError(
    t(
      'A language model may not sign anew a delivery whose signature did not match ({0}).',
      verdictText(verdict),
    ),
  );
}

/** What every tool needs to mask what it gives. */
export interface ToolGuard {
  /** Every token and secret that is held. @throws UserError if they cannot be read */
  held: () => readonly string[] | Promise<readonly string[]>;
  /** An error as a user may read it. */
  readable: (error: unknown) => Error;
}

/** What a tool gives a model, as masked JSON text. @throws Error that is masked, too */
export async function toolAnswer(work: () => unknown, guard: ToolGuard): Promise<string> {
  // Does nothing if the result could not be masked.
  // guard S110: A tool does nothing unless it can read the held secrets.
  const before = await guard.held();
  return maskedErrors(async () => {
    const answer = await work();
    // The tool may have created a secret.
    // guard S110: A tool reads the held secrets again before it answers.
    const mask = new SecretMask([...before, ...(await guard.held())]);
    // guard S108: All that a tool returns, its errors too, goes through one mask.
    return toolText(answer, mask);
  }, guard);
}

/** @throws Error that is fit for a model */
export async function maskedErrors<T>(work: () => T | Promise<T>, { held, readable }: ToolGuard): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = readable(error);
    throw new UserError(toolErrorText(message, new SecretMask(await held())));
  }
}

/** @throws UserError if the input does not fit */
export function toolInput<Schema extends v.GenericSchema>(
  schema: Schema,
  name: string,
  input: unknown,
): v.InferOutput<Schema> {
  const read = v.safeParse(schema, input);
  if (read.success) return read.output;
  throw new UserError(t('The input of {0} is not valid: {1}', name, valueProblem(read.issues[0], name)));
}
