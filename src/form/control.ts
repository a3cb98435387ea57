import '@vscode-elements/elements/dist/vscode-option/index.js';
import '@vscode-elements/elements/dist/vscode-single-select/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { Field } from '../model/settings/appSettings.ts';
import { t } from '../model/text/l10n.ts';
import { element } from './element.ts';

/** The part of a field that people type into or choose from. */
export interface Control {
  readonly root: HTMLElement;
  text(): string;
  setText(text: string): void;
  focus(): void;
  /** Whether Escape closes a list of it, so that it does not also restore the field. */
  isOpen(): boolean;
  /** Tells assistive technology what describes the control, and whether it is invalid. */
  describe(by: readonly HTMLElement[], invalid: boolean): void;
}

/** Called at every keystroke and choice. @param undone whether it is an undo of typing that led to the text */
type OnInput = (undone: boolean) => void;

/** The control of a field. */
export function createControl(field: Field, onInput: OnInput): Control {
  return field.kind === 'choice' ? createChoice(field, onInput) : createText(field, onInput);
}

function attributesOf(field: Field): Record<string, string> {
  return { id: `field-${field.name}`, 'data-field': field.name };
}

function createText(field: Field, onInput: OnInput): Control {
  const root = element('vscode-textfield', {
    attributes: { ...attributesOf(field), placeholder: t('unchanged'), autocomplete: 'off' },
    on: { input: (event) => onInput(event instanceof InputEvent && event.inputType === 'historyUndo') },
  });
  return {
    root,
    text: () => root.value,
    setText(text) {
      if (root.value !== text) root.value = text;
    },
    focus: () => root.focus(),
    isOpen: () => false,
    describe(by, invalid) {
      root.invalid = invalid;
      afterUpdate(root, () => markInner(root.wrappedElement, by, invalid));
    },
  };
}

function createChoice(field: Field & { kind: 'choice' }, onInput: OnInput): Control {
  const option = (value: string, text: string) => element('vscode-option', { attributes: { value }, text });
  const root = element(
    'vscode-single-select',
    { attributes: attributesOf(field), on: { change: () => onInput(false) } },
    [option('', t('unchanged')), ...field.choices.map((choice) => option(choice, choice))],
  );
  return {
    root,
    text: () => root.value,
    setText(text) {
      if (root.value !== text) root.value = text;
    },
    focus: () => root.focus(),
    isOpen: () => root.open,
    describe(by, invalid) {
      root.invalid = invalid;
      afterUpdate(root, () => {
        const face = root.shadowRoot?.querySelector('.face');
        if (face) markInner(face, by, invalid);
      });
    },
  };
}

function afterUpdate(root: { updateComplete: Promise<boolean> }, then: () => void): void {
  root.updateComplete.then(then, (error: unknown) => console.error(error));
}

/** Ids do not reach into a shadow root, element references do: the described control lies in one. */
function markInner(inner: Element, by: readonly HTMLElement[], invalid: boolean): void {
  inner.ariaDescribedByElements = [...by];
  inner.ariaInvalid = invalid ? 'true' : 'false';
}
