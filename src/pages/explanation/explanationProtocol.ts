import * as v from 'valibot';
import { nothing, type PageCalls } from '../../shared/rpc/pageProtocol.ts';
import type { AllSignatures, ExplanationPicture } from '../../service/explanation/explanationPicture.ts';

/** What the page of an explanation shows. */
export interface ExplanationContent {
  /** The delivery; absent for a request that was pasted. */
  id?: string;
  picture: ExplanationPicture;
  /** The sandbox simulated faults, which may be why. */
  isSimulated?: boolean;
  /** The handler has responded: *Open Response* shows it. */
  isAnswered?: boolean;
  /** No secret is set that could verify it. */
  lacksSecret?: true;
}

/** What the webview keeps over a reload. */
export const explanationStateSchema = v.object({ id: v.string() });

/** The calls of the page to the host. */
export interface ExplanationHostCalls extends PageCalls<ExplanationContent> {
  /** Both signatures, for the screen: the user asked to see them. */
  signatures(): AllSignatures;
  copyAsText(): { said: string };
  /** Replays it, signed anew where a handler would refuse it by now. */
  replay(): void;
  /** Opens the line at which the handler failed. */
  openFailure(): void;
  /** Opens what the handler responded. */
  openResponse(): void;
  /** Asks for another address of the handler. */
  forward(): void;
  /** Sends it to the handler under the debugger. */
  debug(): void;
  open(): void;
  /** Asks for the webhook secret, and explains again with it. */
  setSecret(): void;
  /** Asks which faults the sandbox is to simulate. */
  changeFaults(): void;
}

/** What each of them takes. The host checks it. */
export const explanationSchemas: Record<keyof ExplanationHostCalls, v.GenericSchema> = {
  load: nothing,
  signatures: nothing,
  copyAsText: nothing,
  replay: nothing,
  openFailure: nothing,
  openResponse: nothing,
  forward: nothing,
  debug: nothing,
  open: nothing,
  setSecret: nothing,
  changeFaults: nothing,
};

/** The calls of the host to the page. */
export interface ExplanationPageCalls {
  /** There is a new explanation. */
  show(content: ExplanationContent): void;
}
