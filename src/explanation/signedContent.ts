import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Run, SignedBlock } from '../model/explanations/explanationPicture.ts';
import { t } from '../model/text/l10n.ts';

/** What was signed: three blocks, joined with dots. */
export function signedContent(blocks: readonly SignedBlock[]): TemplateResult {
  if (blocks.length === 0) return html``;
  return html`<section aria-labelledby="signed-content">
    <h2 id="signed-content">${t('What was signed')}</h2>
    <p>${t('Request id, timestamp and raw body, joined with dots.')}</p>
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
function run({ kind, text, mark }: Run): TemplateResult {
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
