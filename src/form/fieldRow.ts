import '@vscode-elements/elements/dist/vscode-label/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import { html, type TemplateResult } from 'lit/html.js';
import type { Field } from '../model/settings/appSettings.ts';
import { fieldLabel, fieldRange } from '../model/settings/fieldText.ts';
import { t } from '../model/text/l10n.ts';
import { control, isOpen } from './control.ts';
import type { FormModel } from './formModel.ts';

/** The message under a field. */
export type FieldMessage = { kind: 'none' } | { kind: 'error' | 'warning' | 'note'; text: string };

/**
 * One field with its label, range, message, and the buttons that reset it or send it again.
 * @param edit called with how the field was edited, and with the function that changes the model
 */
export function fieldRow(
  field: Field,
  model: FormModel,
  message: FieldMessage,
  edit: (by: 'typing' | 'reset' | 'sendAgain', change: () => void) => void,
): TemplateResult {
  const { name } = field;
  const touched = model.isTouched(name);
  const typed = (text: string, undone: boolean): void =>
    edit('typing', () => (undone ? model.untype(name, text) : model.type(name, text)));
  const reset = (): void => edit('reset', () => model.reset(name));
  const sendAgain = (): void => edit('sendAgain', () => model.sendAgain(name));
  const label = fieldLabel(name);
  const invalid = message.kind === 'error';
  // Captured before the control sees the key, because the control closes its list on it.
  const restoreOnEscape = {
    capture: true,
    handleEvent({ key, target }: KeyboardEvent) {
      const isControl = target instanceof Element && target.matches('[data-field]');
      if (key === 'Escape' && isControl && !isOpen(target)) reset();
    },
  };
  // Of a cleared field nothing is sent, so it has no mark of a change.
  const marked = touched && !model.isCleared(name);
  return html`<div class="field ${marked ? 'touched' : ''} ${invalid ? 'invalid' : ''}">
    <vscode-label for="field-${name}">${label}</vscode-label>
    <div class="control" @keydown=${restoreOnEscape}>
      ${control(field, { text: model.text(name), invalid, typed })}
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
        ?hidden=${!model.canSendAgain(name)}
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
