import '@vscode-elements/elements/dist/vscode-label/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { Field } from '../model/settings/appSettings.ts';
import { fieldHelp, fieldLabel, fieldRange } from '../model/settings/fieldText.ts';
import { t } from '../model/text/l10n.ts';
import { type Control, createControl } from './control.ts';
import { element, setText } from './element.ts';

/** What is said under a field. */
export type FieldMessage = { kind: 'none' } | { kind: 'error' | 'warning' | 'note'; text: string };

export interface FieldRowEvents {
  /** @param undone whether an undo of typing led to the text */
  typed: (text: string, undone: boolean) => void;
  reset: () => void;
  sendAgain: () => void;
}

/** What a row shows. */
export interface FieldShown {
  text: string;
  /** Whether there is something to reset. */
  touched: boolean;
  canSendAgain: boolean;
  message: FieldMessage;
}

/** One field with its label, help, range, message, and the button that resets it or sends it again. */
export class FieldRow {
  readonly root: HTMLElement;
  readonly #control: Control;
  readonly #message: HTMLElement;
  readonly #reset: HTMLElement;
  readonly #sendAgain: HTMLElement;
  readonly #describing: HTMLElement[];

  constructor(field: Field, events: FieldRowEvents) {
    const label = fieldLabel(field.name);
    this.#control = createControl(field, (undone) => events.typed(this.#control.text(), undone));
    const range = element('span', { attributes: { class: 'range', id: `range-${field.name}` } });
    range.textContent = fieldRange(field);
    const help = element('div', {
      attributes: { class: 'help', id: `help-${field.name}` },
      text: fieldHelp(field.name),
    });
    this.#message = element('div', {
      attributes: {
        class: 'message',
        id: `message-${field.name}`,
        'data-message-for': field.name,
        'aria-live': 'polite',
      },
    });
    this.#reset = element('vscode-toolbar-button', {
      attributes: { class: 'reset', icon: 'discard', label: t('Reset {0}', label), 'data-reset': field.name },
      on: { click: events.reset },
    });
    this.#reset.title = t('Reset');
    this.#sendAgain = element('vscode-toolbar-button', {
      attributes: { icon: 'sync', label: t('Send {0} Again', label), 'data-send-again': field.name },
      on: { click: events.sendAgain },
    });
    this.#sendAgain.title = t('Send Again');
    this.#describing = [range, help, this.#message];
    this.root = element('div', { attributes: { class: 'field' } }, [
      element('vscode-label', { attributes: { for: `field-${field.name}` }, text: label }),
      element('div', { attributes: { class: 'control' } }, [
        this.#control.root,
        range,
        this.#reset,
        this.#sendAgain,
      ]),
      help,
      this.#message,
    ]);
    this.#restoreOnEscape(events.reset);
    this.#control.describe(this.#describing, false);
  }

  focus(): void {
    this.#control.focus();
  }

  show({ text, touched, canSendAgain, message }: FieldShown): void {
    this.#control.setText(text);
    this.root.classList.toggle('touched', touched);
    this.#reset.hidden = !touched;
    this.#sendAgain.hidden = !canSendAgain;
    this.#message.className = `message ${message.kind}`;
    setText(this.#message, message.kind === 'none' ? '' : message.text);
    const invalid = message.kind === 'error';
    this.root.classList.toggle('invalid', invalid);
    this.#control.describe(this.#describing, invalid);
  }

  #restoreOnEscape(reset: () => void): void {
    // Asked before the control sees the key: by then it has closed its list.
    let closesList = false;
    const isEscape = (event: Event) => event instanceof KeyboardEvent && event.key === 'Escape';
    const { root } = this.#control;
    root.addEventListener(
      'keydown',
      (event) => {
        if (isEscape(event)) closesList = this.#control.isOpen();
      },
      { capture: true },
    );
    root.addEventListener('keydown', (event) => {
      if (isEscape(event) && !closesList) reset();
    });
  }
}
