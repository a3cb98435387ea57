import '@vscode-elements/elements/dist/vscode-button/index.js';
import { t } from '../model/text/l10n.ts';
import { element, setText } from './element.ts';
import type { Reading } from './formModel.ts';

/** What the bar says beside its button. */
export type ApplyStatus = { kind: 'none' } | { kind: 'busy' | 'done' | 'error'; text: string };

/** The button that applies, and how the last apply went. */
export class ApplyBar {
  readonly root: HTMLElement;
  readonly #button;
  readonly #status = element('p', {
    attributes: { class: 'status', role: 'status', 'aria-live': 'polite', 'data-status': '' },
  });

  constructor(apply: () => void) {
    this.#button = element('vscode-button', {
      attributes: { 'data-action': 'apply' },
      on: { click: apply },
    });
    const shortcut = /mac/i.test(navigator.userAgent) ? '⌘⏎' : t('Ctrl+Enter');
    this.root = element('section', { attributes: { class: 'apply', 'aria-label': t('Apply') } }, [
      this.#status,
      element('div', { attributes: { class: 'row' } }, [
        this.#button,
        element('span', { attributes: { class: 'shortcut' }, text: shortcut }),
      ]),
    ]);
  }

  show(reading: Reading, enabled: boolean, status: ApplyStatus): void {
    setText(this.#button, labelOf(reading));
    this.#button.disabled = !enabled;
    this.#status.className = `status ${status.kind}`;
    setText(this.#status, status.kind === 'none' ? '' : status.text);
  }
}

/** What is as it was last applied is no change, and goes out with the rest: then they are settings. */
function labelOf({ changes, same }: Reading): string {
  const count = Object.keys(changes).length;
  if (count === 0) return t('Apply');
  if (same.size > 0) return count === 1 ? t('Apply 1 setting') : t('Apply {0} settings', count);
  return count === 1 ? t('Apply 1 change') : t('Apply {0} changes', count);
}
