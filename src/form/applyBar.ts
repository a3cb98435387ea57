import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, type TemplateResult } from 'lit/html.js';
import type { FieldName } from '../model/settings/appSettings.ts';
import { fieldLabel } from '../model/settings/fieldText.ts';
import { t } from '../model/text/l10n.ts';
import type { Reading } from './formModel.ts';

/** The status that the bar shows above its button. `fields` are those that the service's answer names. */
export type ApplyStatus =
  | { kind: 'none' }
  | { kind: 'busy' | 'done'; text: string }
  | { kind: 'error'; text: string; fields: readonly FieldName[] };

interface ApplyEvents {
  apply: () => void;
  goTo: (name: FieldName) => void;
}

/** The apply button, what prevents an apply, and how the last apply went. */
export function applyBar(
  reading: Reading,
  enabled: boolean,
  status: ApplyStatus,
  { apply, goTo }: ApplyEvents,
): TemplateResult {
  const [first] = reading.problems;
  return html`<section class="apply" aria-label=${t('Apply')}>
    <p
      class="status ${status.kind}"
      role="status"
      aria-live="polite"
      data-status
      .textContent=${status.kind === 'none' ? '' : status.text}
    ></p>
    <div class="row">
      <vscode-button data-action="apply" ?disabled=${!enabled} @click=${apply}
        >${labelOf(reading)}</vscode-button
      >
      ${first === undefined ? shortcut() : problemLink(first, goTo)}
    </div>
  </section>`;
}

function shortcut(): TemplateResult {
  return html`<span class="shortcut">${/mac/i.test(navigator.userAgent) ? '⌘⏎' : t('Ctrl+Enter')}</span>`;
}

function problemLink([name, problem]: [FieldName, string], goTo: ApplyEvents['goTo']): TemplateResult {
  return html`<button type="button" class="link problem" data-go-to=${name} @click=${() => goTo(name)}>
    ${fieldLabel(name)}: ${problem}
  </button>`;
}

/** A value that is the same as last applied is sent too but is no change: then the label says "settings". */
function labelOf({ changes, same }: Reading): string {
  const count = Object.keys(changes).length;
  if (count === 0) return t('Apply');
  if (same.size > 0) return count === 1 ? t('Apply 1 setting') : t('Apply {0} settings', count);
  return count === 1 ? t('Apply 1 change') : t('Apply {0} changes', count);
}
