import '@vscode-elements/elements/dist/vscode-label/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import { html, type TemplateResult } from 'lit/html.js';
import type { Field } from '../model/settings/appSettings.ts';
import { fieldLabel, fieldRange } from '../model/settings/fieldText.ts';
import { t } from '../model/text/l10n.ts';
import { control, type ControlShown, isOpen } from './control.ts';

/** What is said under a field. */
export type FieldMessage = { kind: 'none' } | { kind: 'error' | 'warning' | 'note'; text: string };

/** What a row shows, and what it does. */
export interface FieldShown extends Omit<ControlShown, 'invalid'> {
  /** Whether there is something to reset. */
  touched: boolean;
  canSendAgain: boolean;
  message: FieldMessage;
  reset: () => void;
  sendAgain: () => void;
}

/** One field with its label, range, message, and the buttons that reset it or send it again. */
export function fieldRow(field: Field, shown: FieldShown): TemplateResult {
  const { name } = field;
  const { text, touched, canSendAgain, message, typed, reset, sendAgain } = shown;
  const label = fieldLabel(name);
  const invalid = message.kind === 'error';
  // Before the control sees the key: by then it has closed its list.
  const restoreOnEscape = {
    capture: true,
    handleEvent({ key, target }: KeyboardEvent) {
      const isControl = target instanceof Element && target.matches('[data-field]');
      if (key === 'Escape' && isControl && !isOpen(target)) reset();
    },
  };
  return html`<div class="field ${touched ? 'touched' : ''} ${invalid ? 'invalid' : ''}">
    <vscode-label for="field-${name}">${label}</vscode-label>
    <div class="control" @keydown=${restoreOnEscape}>
      ${control(field, { text, invalid, typed })}
      <span class="range" id="range-${name}">${fieldRange(field)}</span>
      <vscode-toolbar-button
        class="reset"
        icon="discard"
        label=${t('Reset {0}', label)}
        title=${t('Reset')}
        data-reset=${name}
        ?hidden=${!touched}
        @click=${reset}
      ></vscode-toolbar-button>
      <vscode-toolbar-button
        icon="sync"
        label=${t('Send {0} Again', label)}
        title=${t('Send Again')}
        data-send-again=${name}
        ?hidden=${!canSendAgain}
        @click=${sendAgain}
      ></vscode-toolbar-button>
    </div>
    <div
      class="message ${message.kind}"
      id="message-${name}"
      data-message-for=${name}
      aria-live="polite"
      .textContent=${message.kind === 'none' ? '' : message.text}
    ></div>
  </div>`;
}
