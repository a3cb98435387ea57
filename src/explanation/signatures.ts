import { html, type TemplateResult } from 'lit/html.js';
import {
  type AllSignatures,
  differingDigits,
  type ExplanationPicture,
} from '../model/explanations/explanationPicture.ts';
import { t } from '../model/text/l10n.ts';

/** How many digits are in a group. */
const groupLength = 8;

/** The expected signature above the received one. @param asked both, if the user asked to see them */
export function signatures(
  { signatures: shown, notes }: ExplanationPicture,
  asked: AllSignatures | undefined,
  ask: () => void,
): TemplateResult {
  if (shown === undefined) return html``;
  const { expected, received } = asked ?? shown;
  const isHidden = expected === undefined || received === undefined;
  return html`<section aria-labelledby="signatures">
    <h2 id="signatures">${t('Signature')}</h2>
    <p>${t('The hexadecimal HMAC-SHA256 of what was signed, keyed with the secret.')}</p>
    <div class="signatures">
      ${row('expected', t('expected'), expected, received, shown.expected === undefined)}
      ${row('received', t('received'), received, expected, shown.received === undefined)}
    </div>
    ${
      isHidden
        ? html`<button type="button" data-action="signatures" @click=${ask}>
            ${t('Show Expected Signature')}
          </button>`
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
