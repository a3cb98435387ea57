import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import type { Delivery } from '../../contract/delivery.ts';
import type { ForwardTarget } from '../../deliveries/destination.ts';
import type { Answer, Sent } from '../../deliveries/listenerProtocol.ts';
import { failureReason, outcomeIcon, outcomeOf, outcomeText } from '../../deliveries/outcomeText.ts';
import type { UnsignedOutcome } from '../../deliveries/refusal.ts';
import { type Clock, systemClock } from '../../shared/async/clock.ts';
import { durationText } from '../../shared/text/durationText.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { typedAddress } from '../../service/typedAddress.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import type { Listener } from '../listener/feature.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentence, sentences } from '../../shared/text/sentences.ts';
import { clicked, isGesture } from '../kit/commands.ts';
import { showBriefly } from '../kit/progress.ts';
import type { Prompts } from '../kit/prompts.ts';

/**
 * Shows in the status bar who returned what to a sent delivery. Its row has the rest.
 * @param to the address that was named, else where its deliveries go
 * @param why why it was signed anew, although nobody said so
 * @returns the first argument
 */
export function tellSent<T extends Sent>(sent: T, to: string | URL | ForwardTarget, why?: string): T {
  const icon = isSuccess(sent.status) ? 'pass' : 'warning';
  showBriefly(`$(${icon}) ${sentences(returnedText(sent, to), signedText(why))}`);
  return sent;
}

/**
 * The same of a replay. Whoever clicked for one that failed in the handler, or sent one unsigned, gets a message that
 * leads on.
 * @param id the delivery to explain; undefined where it was edited: an explanation is of the delivery as it came
 * @param unsigned what became of one that was sent unsigned
 * @param openResponse opens the response, where that tells more than the explanation
 */
export function tellReplayed(
  prompts: Pick<Prompts, 'tell'>,
  {
    id,
    unsigned,
    openResponse,
  }: { id?: string; unsigned?: UnsignedOutcome | undefined; openResponse?: () => Promise<unknown> },
  answer: Answer,
  to: string | URL | ForwardTarget,
  why?: string,
): Answer {
  const isForwarded = typeof to === 'object' && !(to instanceof URL);
  const isPlain = isSuccess(answer.status) && unsigned === undefined;
  if (!isForwarded || !isGesture() || isPlain) return tellSent(answer, to, why);
  const said = failureReason({ answer: answer.body });
  const message = unsigned?.text ?? sentences(returnedText(answer, to), respondedText(said), signedText(why));
  const verbs: Verb[] = [];
  if (unsigned?.isRejected === false)
    verbs.push([t('Insert Verification Code…'), run(commandIds.insertVerificationCode)]);
  if (openResponse !== undefined) verbs.push([t('Open Response'), openResponse]);
  if (id !== undefined) verbs.push([t('Explain'), explain(id)]);
  void lead(prompts, message, verbs, unsigned?.isRejected === true ? 'information' : 'warning');
  return answer;
}

/** What was returned to a fixture. */
export interface FixtureAnswer extends Answer {
  /** No secret was there to sign it with. */
  unsigned?: true;
}

/**
 * Shows what was returned to a fixture, which was sent as it is. It has no row: whoever clicked gets a message.
 * @param variants the names of what its tests send instead
 */
export function tellFixtureSent(
  prompts: Pick<Prompts, 'tell'>,
  { variants, tryAgain }: { variants: readonly string[]; tryAgain: () => Promise<unknown> },
  answer: FixtureAnswer,
  to: string | URL | ForwardTarget,
): FixtureAnswer {
  if (!isGesture()) return tellSent(answer, to);
  const other =
    variants.length === 0
      ? undefined
      : t('The fixture was sent as it is. Its tests send it as {0}.', variants.join(', '));
  const message = sentences(fixtureSentText(answer, to), other);
  const verbs: Verb[] = [];
  if (answer.unsigned === true) verbs.push([t('Set Webhook Secret…'), run(commandIds.setWebhookSecret)]);
  const isAccepted = isSuccess(answer.status);
  const hasNoHandler = typeof to === 'object' && 'kind' in to && !('to' in to);
  if (hasNoHandler) verbs.push([t('Forward to…'), run(commandIds.setForwardTo)]);
  if (!isAccepted && verbs.length === 0 && other === undefined) verbs.push([t('Try Again'), tryAgain]);
  // The tests show the whole response.
  void lead(prompts, message, [...verbs, showTests()], isAccepted ? 'information' : 'warning');
  return answer;
}

function run(command: string) {
  return async () => vscode.commands.executeCommand(command);
}

/** Who returned what to a fixture, and why it was not accepted. */
export function fixtureSentText(answer: FixtureAnswer, to: string | URL | ForwardTarget): string {
  const said = isSuccess(answer.status) ? undefined : failureReason({ answer: answer.body });
  const unsigned =
    answer.unsigned === true
      ? t('The delivery was sent without a signature: set the secret that your handler has.')
      : undefined;
  return sentences(returnedText(answer, to), respondedText(said), unsigned);
}

/** Tells of fixtures, and offers the view that runs them. */
export function offerTests(prompts: Pick<Prompts, 'tell'>, message: string): void {
  void lead(prompts, message, [showTests()], 'information');
}

function showTests(): Verb {
  return [t('Show Tests'), async () => vscode.commands.executeCommand('workbench.view.testing.focus')];
}

/**
 * Shows how many of several replays were accepted. Whoever clicked for one that was not gets a message that leads on:
 * nobody looks at each row.
 * @param failed the last that was not accepted, and why it got no response
 */
export function tellAllReplayed(
  prompts: Pick<Prompts, 'tell'>,
  text: string,
  failed: { id: string; error?: string } | undefined,
  tryAgain: () => Promise<unknown>,
): void {
  if (failed === undefined || !isGesture())
    showBriefly(`$(${failed === undefined ? 'pass' : 'warning'}) ${text}`);
  else if (failed.error !== undefined)
    void lead(prompts, sentences(text, failed.error), [[t('Try Again'), tryAgain]]);
  else void lead(prompts, text, [[t('Explain'), explain(failed.id)]]);
}

function explain(id: string) {
  return async () => vscode.commands.executeCommand(commandIds.explainDelivery, ...clicked({ id }, true));
}

/**
 * What a message about a replay leads to. The explanation of a delivery that did not verify is about its signature: what
 * the handler made of it is in the response.
 */
export function toldOf({ id, verdict }: Pick<Delivery, 'id' | 'verdict'>) {
  if (verdict === 'verified' || verdict === 'unsigned') return { id };
  const openResponse = async () =>
    vscode.commands.executeCommand(commandIds.openAppAnswer, ...clicked({ id }, true));
  return { id, openResponse };
}

/** The title of a button, and what a click on it does. */
type Verb = readonly [title: string, leadOn: () => Promise<unknown>];

/** Tells of something with buttons that lead on. */
async function lead(
  prompts: Pick<Prompts, 'tell'>,
  message: string,
  verbs: readonly Verb[],
  severity: 'information' | 'warning' = 'warning',
): Promise<void> {
  const titles = verbs.map(([title]) => title);
  const chosen = await prompts.tell(message, titles, severity);
  await verbs.find(([title]) => title === chosen)?.[1]();
}

function signedText(why: string | undefined): string | undefined {
  return why === undefined ? undefined : t('Signed anew, since it was {0}.', why);
}

/** What the handler says about its failure, as its own words. */
function respondedText(said: string | undefined): string | undefined {
  return said && sentence(t('It responded: {0}', said));
}

function returnedText({ status, durationMs }: Sent, to: string | URL | ForwardTarget): string {
  const time = durationText(durationMs);
  if (typeof to === 'string' || to instanceof URL) {
    return t('{0} returned {1} in {2}.', plainText(typedAddress(String(to)).host, 60), status, time);
  }
  return 'to' in to
    ? t('Your handler returned {0} in {1}.', status, time)
    : t('The listener returned {0} in {1}; it forwards to no handler.', status, time);
}

/** How long is waited for the handler, in milliseconds: it may stand at a breakpoint. */
const handlerMs = 10_000;

/** Shows in the status bar what became of the delivery of a run, in the handler too: what its row says. */
export async function tellOutcome(
  listener: Pick<Listener, 'onDidReceiveDelivery' | 'onDidChangeDelivery' | 'page'>,
  runId: string,
  clock: Clock = systemClock,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Delivery | undefined>();
  const take = (delivery: Delivery): void => {
    if (delivery.runId === runId && outcomeOf(delivery) !== 'waiting') resolve(delivery);
  };
  const watched = vscode.Disposable.from(
    listener.onDidReceiveDelivery(take),
    listener.onDidChangeDelivery(take),
  );
  const cancel = clock.after(handlerMs, () => resolve(undefined));
  // What has come already is looked up; where that fails, the next news tells.
  listener.page({ run: runId }, 1).then(
    ({ deliveries }) => deliveries.forEach(take),
    () => undefined,
  );
  const delivery = await promise;
  cancel();
  watched.dispose();
  showBriefly(
    delivery === undefined
      ? t('Test delivery: {0}', t('waiting in your handler'))
      : `$(${outcomeIcon(delivery).icon}) ${t('Test delivery: {0}', plainText(outcomeText(delivery), 100))}`,
  );
}
