import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import { html, render, type TemplateResult } from 'lit/html.js';
import type { Channel } from '../model/processes/channel.ts';
import type { AllSignatures } from '../model/explanations/explanationPicture.ts';
import type {
  ExplanationContent,
  ExplanationHostCalls,
  ExplanationPageCalls,
} from '../model/explanations/explanationProtocol.ts';
import { t } from '../model/text/l10n.ts';
import { causes, receiver } from './causes.ts';
import { signatures } from './signatures.ts';
import { signedContent } from './signedContent.ts';

/** The page's end of the channel to the host. */
type Host = Channel<ExplanationHostCalls, ExplanationPageCalls>;

/** Draws the explanation of a delivery. Others may have written its texts: they are never inserted as markup. */
export class ExplanationView {
  readonly #root: HTMLElement;
  readonly #host: Host;
  #content: ExplanationContent;
  /** The signatures that the user asked to see. Kept nowhere else, and dropped with the next explanation. */
  #requested: AllSignatures | undefined;
  #status = '';

  constructor(root: HTMLElement, host: Host, content: ExplanationContent) {
    this.#root = root;
    this.#host = host;
    this.#content = content;
    this.#draw();
  }

  show(content: ExplanationContent): void {
    this.#content = content;
    this.#requested = undefined;
    this.#status = '';
    this.#draw();
  }

  #draw(): void {
    const { picture } = this.#content;
    const page = html`<header class=${picture.kind}>
        <h1>${picture.headline}</h1>
        ${picture.reasons.map((reason) => html`<p class="reason">${reason}</p>`)}
        ${picture.about.map((line) => html`<p class="about">${line}</p>`)} ${this.#tools()}
        <p class="said" role="status" data-said .textContent=${this.#status}></p>
      </header>
      ${signedContent(picture.blocks)}
      ${signatures(picture, this.#requested, () =>
        this.#do(async () => {
          this.#requested = await this.#host.request('signatures', {});
        }),
      )}
      ${causes(picture.trials)} ${receiver()}`;
    render(page, this.#root);
  }

  #tools(): TemplateResult {
    const copy = async () => {
      this.#status = (await this.#host.request('copyAsText', {})).said;
    };
    const ofDelivery = html`
      ${this.#tool('replay', 'debug-rerun', t('Replay'), () => this.#host.request('replay', {}))}
      ${this.#tool('open', 'go-to-file', t('Open Delivery'), () => this.#host.request('open', {}))}
    `;
    return html`<div role="toolbar" aria-label=${t('Explanation')} class="tools">
      ${this.#tool('copyAsText', 'copy', t('Copy as Text'), copy)}
      ${this.#content.id === undefined ? '' : ofDelivery}
    </div>`;
  }

  #tool(name: string, icon: string, text: string, use: () => Promise<unknown>): TemplateResult {
    return html`<vscode-toolbar-button icon=${icon} data-action=${name} @click=${() => this.#do(use)}
      >${text}</vscode-toolbar-button
    >`;
  }

  #do(work: () => Promise<unknown>): void {
    this.#status = '';
    work()
      .catch((error: unknown) => {
        this.#status = error instanceof Error ? error.message : String(error);
      })
      .finally(() => this.#draw());
  }
}
