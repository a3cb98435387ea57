import * as v from 'valibot';
import type { WholeDelivery } from '../contract/delivery.ts';
import { maskJson, maskSecrets } from '../shared/masking/likelySecrets.ts';
import { maskNamed, maskNamedText } from '../shared/masking/namedSecrets.ts';
import type { SecretMask } from '../shared/masking/secretMask.ts';
import { typedAddress } from '../service/typedAddress.ts';
import { isLoopback } from '../shared/http/loopback.ts';
import { t } from '../shared/text/l10n.ts';
import { UserError } from '../shared/text/userError.ts';

/** A longer string, in characters, is of no use to a model, and would crowd out the rest of its context. */
const longest = 4000;
const longestAnswer = 100_000;

/** A longer string may have been truncated by its source, and end with the beginning of a secret. */
const mayBeCut = 100;

/**
 * The answer of a tool as JSON text, with every value of the mask masked, and the values of fields that name a secret
 * wherever they stand. Long strings are cut, and a long answer is cut at its end; both say so.
 */
export function toolText(value: unknown, mask: SecretMask): string {
  const most = longest + mask.margin;
  // Longer than the final cut, so that a secret across that cut is masked as a whole.
  const short = mapTexts(value ?? null, (text) => text.slice(0, most));
  // guard S109: No tool returns the value of a field that names a secret.
  const safe = mapTexts(mask.json(maskNamed(short)), (text) =>
    cut(text.length > mayBeCut ? mask.start(text) : text, longest),
  );
  return cut(JSON.stringify(safe, undefined, 2), longestAnswer);
}

/** The message of an error of a tool, masked as its answers are. */
export function toolErrorText(message: string, mask: SecretMask): string {
  return mask.start(maskNamedText(message.slice(0, longest)));
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? map(one) : one));
  return JSON.parse(text) as unknown;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… (cut here, after ${most} characters)` : text;
}

const id = v.pipe(v.string(), v.nonEmpty());
const settings = v.record(v.string(), v.unknown());

/**
 * The input schema of each tool. Anything else is refused: a model can neither pass a secret nor say that the user
 * has agreed. The manifest declares the same to models; a unit test compares the two.
 */
export const toolInputs = {
  listProjects: v.strictObject({}),
  listKeys: v.strictObject({ projectId: id, serviceAccountId: id }),
  validateSettings: v.strictObject({ settings }),
  // guard S105: The model cannot say that the user has agreed.
  applySettings: v.strictObject({ projectId: id, appId: id, settings }),
  runApp: v.strictObject({
    projectId: id,
    appName: id,
    path: v.exactOptional(v.string()),
    method: v.exactOptional(v.string()),
    body: v.exactOptional(v.unknown()),
    webhook: v.exactOptional(v.boolean()),
  }),
  listDeliveries: v.strictObject({
    limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  }),
  getDelivery: v.strictObject({ id }),
  explainDelivery: v.strictObject({ id }),
  sendTestDelivery: v.strictObject({ to: v.exactOptional(id), body: v.exactOptional(v.unknown()) }),
  // guard S114: A model chooses neither the address nor the content of a replay.
  replayDelivery: v.strictObject({ id, resign: v.exactOptional(v.boolean()) }),
  deliverHere: v.strictObject({ runId: id }),
  waitForDelivery: v.strictObject({
    runId: id,
    timeoutSeconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300))),
  }),
};

export type AgentToolName = keyof typeof toolInputs;
export type ToolInput<Name extends AgentToolName> = v.InferOutput<(typeof toolInputs)[Name]>;

/** A delivery as a model gets it: whatever looks like a token or secret is masked, even if nobody holds it. */
export function toldDelivery({ headers, ...delivery }: WholeDelivery): object {
  const { path, body, forward, attempts } = delivery;
  return {
    ...delivery,
    path: maskSecrets(path),
    headers: maskJson(headers),
    body: maskSecrets(body),
    ...(forward && { forward: maskJson(forward) }),
    ...(attempts && { attempts: maskJson(attempts) }),
  };
}

/** Parses an address on this machine: a model must not have anything signed and sent elsewhere. */
export function loopbackUrl(text: string): URL {
  const url = typedAddress(text);
  // guard S113: A model can send only to this machine.
  if (isLoopback(url.hostname)) return url;
  throw new UserError(
    t('{0} is not on this machine: a language model may send only to 127.0.0.1 or localhost.', url.origin),
  );
}
