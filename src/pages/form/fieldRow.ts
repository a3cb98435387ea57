import '@vscode-elements/elements/dist/vscode-label/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, type TemplateResult } from 'lit/html.js';
import type { Field, FieldName } from '../../service/settings/appSettings.ts';
import { fieldLabel, fieldRange } from '../../service/settings/settingsText.ts';
import { t } from '../../shared/text/l10n.ts';
import type { FormModel } from './formModel.ts';
import { live } from 'lit/directives/live.js';

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
  const keys = {
    capture: true,
    handleEvent({ key, target }: KeyboardEvent) {
      const isControl = target instanceof Element && target.matches('[data-field]');
      if (key === 'Escape' && isControl && !isOpen(target)) reset();
      // Its list would stay open, over the fields that follow.
      if (key === 'Tab' && isOpen(target)) target.open = false;
    },
  };
  // Of a cleared field nothing is sent, so it has no mark of a change.
  const marked = touched && !model.isCleared(name);
  return html`<div class="field ${marked ? 'touched' : ''} ${invalid ? 'invalid' : ''}">
    <vscode-label for="field-${name}">${label}</vscode-label>
    <div class="control" @keydown=${keys}>
      ${control(field, { text: model.text(name), invalid, typed })}
      <span class="range" id="range-${name}">${fieldRange(field)}</span>
      <vscode-toolbar-button
        class="reset"
        icon="discard"
        label=${t('Reset {0}', label)}
        title=${t('Reset (Escape)')}
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

type Choice = HTMLElementTagNameMap['vscode-single-select'];
type Text = HTMLElementTagNameMap['vscode-textfield'];

/** The state of a field's control, which people type into or choose from. */
export interface ControlShown {
  text: string;
  invalid: boolean;
  /** Called at every keystroke and choice. @param undone whether the text comes from undoing typing */
  typed: (text: string, undone: boolean) => void;
}

export function control(field: Field, { text, invalid, typed }: ControlShown): TemplateResult {
  const { name } = field;
  if (field.kind === 'choice') {
    const chosen = ({ currentTarget }: Event): void => typed((currentTarget as Choice).value, false);
    return html`<vscode-single-select
      id="field-${name}"
      data-field=${name}
      .value=${live(text)}
      .invalid=${invalid}
      @change=${chosen}
    >
      <vscode-option value="">${t('unchanged')}</vscode-option>
      ${field.choices.map((choice) => html`<vscode-option value=${choice}>${choice}</vscode-option>`)}
    </vscode-single-select>`;
  }
  const input = (event: Event): void =>
    typed(
      (event.currentTarget as Text).value,
      event instanceof InputEvent && event.inputType === 'historyUndo',
    );
  return html`<vscode-textfield
    id="field-${name}"
    data-field=${name}
    placeholder=${t('unchanged')}
    autocomplete="off"
    .value=${live(text)}
    .invalid=${invalid}
    @input=${input}
  ></vscode-textfield>`;
}

/** Whether a control has an open list: Escape then closes only the list. */
export function isOpen(target: EventTarget | null): target is Choice {
  return (target as Partial<Choice> | null)?.open === true;
}

/** The control of a field; null until it is drawn. */
export function controlOf(root: ParentNode, name: FieldName): Choice | Text | null {
  return root.querySelector(`#field-${name}`);
}

/**
 * Tells assistive technology what describes a control, and whether it is invalid. Uses element references, because
 * the control is in a shadow root, which ids do not reach into.
 */
export function describeControl(root: ParentNode, name: FieldName, invalid: boolean): void {
  const drawn = controlOf(root, name);
  const by = [...root.querySelectorAll(`#range-${name}, #message-${name}`)];
  drawn?.updateComplete.then(
    () => {
      const inner = drawn.shadowRoot?.querySelector('input, .face');
      if (!inner) return;
      inner.ariaDescribedByElements = by;
      inner.ariaInvalid = invalid ? 'true' : 'false';
    },
    (error: unknown) => console.error(error),
  );
}
