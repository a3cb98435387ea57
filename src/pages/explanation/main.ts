import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import { type TemplateResult, html, nothing, render } from 'lit/html.js';
import type {
  ExplanationContent,
  ExplanationHostCalls,
  ExplanationPageCalls,
} from './explanationProtocol.ts';
import { startPage } from '../startPage.ts';
import type { Remote } from '../../shared/rpc/rpc.ts';
import {
  type AllSignatures,
  type ExplanationPicture,
  type HandlerPicture,
  type VisibleRun,
  type SignedBlock,
  type Trial,
  type TrialResult,
  differingDigits,
  receiverSteps,
} from '../../service/explanation/explanationPicture.ts';
import { t } from '../../shared/text/l10n.ts';

startPage<ExplanationHostCalls, ExplanationPageCalls, { id?: string }, ExplanationView>(
  ({ root, host, content, setState }) => new ExplanationView(root, host, content, setState),
  (view) => ({
    show: async (content) => {
      (await view).show(content);
    },
  }),
);

type Host = Remote<ExplanationHostCalls>;

/** Draws the explanation of a delivery. Others may have written its texts: they are never inserted as markup. */
class ExplanationView {
  readonly #root: HTMLElement;
  readonly #host: Host;
  readonly #setState: (state: { id?: string }) => void;
  #content: ExplanationContent;
  /** The signatures that the user asked to see. Kept nowhere else, and dropped with the next explanation. */
  #requested: AllSignatures | undefined;
  #status = '';

  constructor(
    root: HTMLElement,
    host: Host,
    content: ExplanationContent,
    setState: (state: { id?: string }) => void,
  ) {
    this.#root = root;
    this.#host = host;
    this.#setState = setState;
    this.#content = content;
    this.show(content);
  }

  show(content: ExplanationContent): void {
    // Without a delivery there is nothing to restore after a reload.
    this.#setState(content.id === undefined ? {} : { id: content.id });
    this.#content = content;
    this.#requested = undefined;
    this.#status = '';
    this.#draw();
  }

  #draw(): void {
    const { picture } = this.#content;
    const { handler } = picture;
    const { headline, reasons } = handler ?? picture;
    const page = html`<header class=${handler ? 'wrong' : picture.kind}>
        <div role="status">
          <h1>${headline}</h1>
          ${reasonLines(reasons)} ${picture.about.map((line) => html`<p class="about">${line}</p>`)}
        </div>
        ${this.#tools(handler)}
        <p class="said" role="status" data-said .textContent=${this.#status}></p>
      </header>
      ${
        handler
          ? html`<h2>${picture.headline}</h2>
              ${reasonLines(picture.reasons)}`
          : ''
      }
      ${signedContent(picture.blocks)}
      ${signatures(picture, this.#requested, () =>
        this.#do(async () => {
          this.#requested = await this.#host.signatures();
          this.#draw();
          // The button that had the focus is gone.
          this.#root.querySelector<HTMLElement>('.signatures')?.focus();
        }),
      )}
      ${causes(picture.trials)} ${receiver()}`;
    render(page, this.#root);
  }

  #tools(handler: HandlerPicture | undefined): TemplateResult {
    const copy = async () => {
      this.#status = (await this.#host.copyAsText()).said;
    };
    const openFailure = () => this.#host.openFailure();
    const openResponse = () => this.#host.openResponse();
    const forward = () => this.#host.forward();
    const setSecret = () => this.#host.setSecret();
    const changeFaults = () => this.#host.changeFaults();
    const ofDelivery = html`
      ${handler?.place ? this.#tool('openFailure', 'go-to-file', handler.place, openFailure) : ''}
      ${this.#content.isAnswered ? this.#tool('openResponse', 'reply', t('Open Response'), openResponse) : ''}
      ${handler?.isAnswered === false || handler?.isElsewhere ? this.#tool('forward', 'arrow-right', t('Forward to…'), forward) : ''}
      ${handler ? this.#tool('debug', 'debug-alt', t('Debug This Delivery'), () => this.#host.debug()) : ''}
      ${this.#tool('replay', 'debug-restart', t('Replay'), () => this.#host.replay())}
      ${this.#tool('open', 'go-to-file', t('Open Delivery'), () => this.#host.open())}
    `;
    return html`<div role="toolbar" aria-label=${t('Explanation')} class="tools">
      ${this.#content.id === undefined ? '' : ofDelivery}
      ${this.#content.lacksSecret ? this.#tool('setSecret', 'key', t('Set Webhook Secret…'), setSecret) : ''}
      ${this.#content.isSimulated ? this.#tool('changeFaults', 'bug', t('Simulate Sandbox Faults…'), changeFaults) : ''}
      ${this.#tool('copyAsText', 'copy', t('Copy as Text'), copy)}
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

function reasonLines(reasons: readonly string[]): TemplateResult[] {
  return reasons.map((reason) => html`<p class="reason">${reason}</p>`);
}

/** Each cause that was tried, with its result: what fits first. Absent and skipped causes are grouped at the end. */
function causes(trials: readonly Trial[]): TemplateResult {
  if (trials.length === 0) return html``;
  const tried = (['fits', 'no'] as const).flatMap((found) => trials.filter(({ result }) => result === found));
  const untried = (['absent', 'skipped'] as const).flatMap((result) => {
    const labels = trials.filter((one) => one.result === result).map(({ label }) => label);
    return labels.length === 0 ? [] : [{ label: labels.join(' · '), result }];
  });
  return html`<section aria-labelledby="trials">
    <h2 id="trials">${t('What was tried')}</h2>
    <ul class="trials">
      ${tried.map(
        ({ label, result }) =>
          html`<li class=${result} data-result=${result}>${label} <em>${resultText(result)}</em></li>`,
      )}
      ${untried.map(
        ({ label, result }) =>
          html`<li class=${result} data-result=${result}><em>${resultText(result)}</em> ${label}</li>`,
      )}
    </ul>
  </section>`;
}

function resultText(result: TrialResult): string {
  switch (result) {
    case 'fits':
      return t('this is it');
    case 'no':
      return t('does not match');
    case 'absent':
      return t('Not applicable:');
    case 'skipped':
      return t('Not tried:');
  }
}

function receiver(): TemplateResult {
  return html`<section aria-labelledby="receiver">
    <h2 id="receiver">${t('What a receiver does')}</h2>
    <ol>
      ${receiverSteps().map((step) => html`<li>${step}</li>`)}
    </ol>
  </section>`;
}

/** How many digits are in a group. */
const groupLength = 8;

/** The expected signature above the received one. @param asked both, if the user asked to see them */
function signatures(
  { signatures: shown, notes }: ExplanationPicture,
  asked: AllSignatures | undefined,
  ask: () => void,
): TemplateResult {
  if (shown === undefined) return html``;
  const { expected, received } = asked ?? shown;
  const isHidden = expected === undefined || received === undefined;
  return html`<section aria-labelledby="signatures">
    <h2 id="signatures">${t('Signature')}</h2>
    <p>${t('The hexadecimal HMAC-SHA256 of these, keyed with the secret.')}</p>
    <div class="signatures" tabindex="-1">
      ${row('expected', t('expected'), expected, received, shown.expected === undefined)}
      ${row('received', t('received'), received, expected, shown.received === undefined)}
    </div>
    ${
      isHidden
        ? html`<button type="button" data-action="signatures" @click=${ask}>${t('Show Signatures')}</button>`
        : ''
    }
    ${notes.map((note) => html`<p class="note">${note}</p>`)}
  </section>`;
}

/**
 * @param other the signature that it is compared with
 * @param isSecret whether it is for the screen only: it cannot be selected, and so not be copied
 */
function row(
  name: string,
  label: string,
  signature: string | undefined,
  other: string | undefined,
  isSecret: boolean,
): TemplateResult {
  if (signature === undefined) {
    return html`<div class="name">${label}</div>
      <div class="digits note" data-signature=${name}>${t('hidden')}</div>`;
  }
  const digits = signature.replace(/^v1,/, '');
  const differs =
    other === undefined
      ? Array.from(digits, () => false)
      : differingDigits(digits, other.replace(/^v1,/, ''));
  const count = differs.filter(Boolean).length;
  const starts = Array.from({ length: Math.ceil(digits.length / groupLength) }, (_, at) => at * groupLength);
  const said = other === undefined ? label : t('{0}: {1} of {2} digits differ', label, count, digits.length);
  return html`<div class="name">
      ${label}${other === undefined ? '' : html`<span class="note">${countText(count, digits.length)}</span>`}
    </div>
    <div class="digits ${isSecret ? 'secret' : ''}" role="group" aria-label=${said} data-signature=${name}>
      <span class="group">v1,</span>${starts.map(
        (start) => html`<wbr /><span class="group">${marked(digits, differs, start)}</span>`,
      )}
    </div>`;
}

function countText(count: number, of: number): string {
  return count === 0 ? t('equal') : t('{0} of {1} differ', count, of);
}

function marked(digits: string, differs: readonly boolean[], start: number): TemplateResult[] {
  return Array.from(digits.slice(start, start + groupLength), (digit, at) =>
    differs[start + at] ? html`<mark>${digit}</mark>` : html`<span>${digit}</span>`,
  );
}

/** What was checked: three blocks, joined with dots. */
function signedContent(blocks: readonly SignedBlock[]): TemplateResult {
  if (blocks.length === 0) return html``;
  return html`<section aria-labelledby="signed-content">
    <h2 id="signed-content">${t('What was checked')}</h2>
    <p>${t('Request id, timestamp and raw body as they arrived, joined with dots.')}</p>
    <div class="signed">${blocks.map((block, at) => [at === 0 ? '' : dot(), drawn(block)])}</div>
  </section>`;
}

function dot(): TemplateResult {
  return html`<span class="dot" role="img" aria-label=${t('dot')}>.</span>`;
}

function drawn({ part, label, note, as, start, omitted, end }: SignedBlock): TemplateResult {
  const isEmpty = start.length === 0 && omitted === 0;
  const shown = [
    isEmpty ? html`<span class="note">${t('nothing')}</span>` : start.map(run),
    omitted === 0 ? '' : html`<span class="omitted">${t('… {0} bytes left out …', omitted)}</span>`,
    end.map(run),
  ];
  // The body may be taller than its box, and must be scrollable with the keyboard too.
  const tabIndex = part === 'body' ? 0 : nothing;
  const content = html`<pre
    class="content ${as}"
    tabindex=${tabIndex}
    role="group"
    aria-labelledby="block-${part}"
  >
${shown}</pre>`;
  return html`<div class="block ${part}">
    <h3 id="block-${part}">${label}</h3>
    ${note === undefined ? '' : html`<span class="note">${note}</span>`}${content}
  </div>`;
}

/** White space is kept in the text, to be copied and read aloud; its marks are drawn over it. */
function run({ kind, text, mark }: VisibleRun): TemplateResult {
  switch (kind) {
    case 'text':
      return html`<span>${text}</span>`;
    case 'space':
      return html`<span class="space" data-mark=${mark ?? ''}>${text}</span>`;
    case 'lineEnd':
      return html`<span class="line-end" data-mark=${mark ?? ''}>${'\n'}</span>`;
    case 'control':
      return html`<span class="control">${mark ?? ''}</span>`;
  }
}
