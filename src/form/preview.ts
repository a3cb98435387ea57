import type { AppSettings } from '../model/appSettings.ts';
import { settingsText } from '../model/applied.ts';
import type { Translate } from '../model/translate.ts';
import { element, setText } from './element.ts';

/** What will be sent: the call and its body, as it stands in the fields now. */
export class Preview {
  readonly root: HTMLElement;
  readonly #t: Translate;
  readonly #count = element('span', { attributes: { class: 'count', 'data-change-count': '' } });
  readonly #path = element('code', { attributes: { class: 'path' } });
  readonly #body = element('pre', { attributes: { class: 'body', 'data-preview': '', tabindex: '0' } });

  constructor(t: Translate) {
    this.#t = t;
    this.#body.setAttribute('role', 'region');
    this.#body.setAttribute('aria-label', t('Body of the PATCH'));
    this.root = element('section', { attributes: { class: 'preview', 'aria-labelledby': 'preview-title' } }, [
      element('h2', { attributes: { id: 'preview-title' } }, [
        document.createTextNode(t('What will be sent')),
        this.#count,
      ]),
      this.#path,
      this.#body,
    ]);
  }

  show(path: string, changes: AppSettings): void {
    setText(this.#path, `PATCH ${path}`);
    setText(this.#count, changesText(Object.keys(changes).length, this.#t));
    setText(this.#body, settingsText(changes));
  }
}

/** "1 change", "3 changes". */
export function changesText(count: number, t: Translate): string {
  if (count === 0) return t('no changes');
  return count === 1 ? t('1 change') : t('{0} changes', count);
}
