import type { Port } from '../../model/processes/channel.ts';
import { useBundle } from '../../model/text/l10n.ts';
import { type Effort, inPassing, thorough } from '../diagnosis/causeSearch.ts';
import { bodyOf } from '../deliveries/deliveryBody.ts';
import type { Evidence } from '../diagnosis/diagnosis.ts';
import { type About, explain, type Explanation } from './explanation.ts';

/** What a thread is to explain. The body is a text, or base64, as the editor has it: to make bytes of it takes time. */
export interface ExplanationWork extends Omit<Evidence, 'body' | 'effort'> {
  body: string;
  bodyEncoding?: 'base64';
  /** Whether its line endings are an editor's: line feeds alone are meant. */
  isPasted?: boolean;
  about?: About;
  /** How long the cause may be searched for. */
  searchMs: number;
  /** The translations, as `vscode.l10n.bundle` has them. */
  messages: Record<string, string>;
}

/** Explains twice: what is known at once, for whoever cannot wait longer, then what was found out. */
export function runExplanationThread(port: Pick<Port, 'postMessage'>, work: ExplanationWork): void {
  const { about, searchMs, messages, isPasted = false, ...rest } = work;
  useBundle(messages);
  const until = performance.now() + searchMs;
  const body = isPasted ? Buffer.from(work.body.replaceAll('\r\n', '\n')) : bodyOf(work);
  const say = (effort: Effort): void => {
    port.postMessage(explain({ ...rest, body, effort }, about) satisfies Explanation);
  };
  say({ ...inPassing, isPartial: true });
  say(thorough(() => performance.now() < until));
}
