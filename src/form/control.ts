import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { live } from 'lit/directives/live.js';
import { html, type TemplateResult } from 'lit/html.js';
import type { Field, FieldName } from '../model/settings/appSettings.ts';
import { t } from '../model/text/l10n.ts';

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
export function isOpen(target: EventTarget | null): boolean {
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
