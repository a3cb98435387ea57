import { settingsText } from '../model/settings/applied.ts';
import { t } from '../model/text/l10n.ts';
import { element, setText } from './element.ts';
import type { Reading } from './formModel.ts';

/** What will be sent: the call and its body, as it stands in the fields now. */
export class Preview {
  readonly root: HTMLElement;
  readonly #count = element('span', { attributes: { class: 'count', 'data-change-count': '' } });
  readonly #path = element('code', { attributes: { class: 'path' } });
  readonly #body = element('pre', { attributes: { class: 'body', 'data-preview': '', tabindex: '0' } });

  constructor() {
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

  show(path: string, reading: Reading): void {
    setText(this.#path, `PATCH ${path}`);
    setText(this.#count, countText(reading));
    setText(this.#body, settingsText(reading.changes));
  }
}

/** "1 change"; "2 changes, 1 same as last applied". */
function countText({ changes, same }: Reading): string {
  const count = Object.keys(changes).length - same.size;
  if (same.size === 0) return changesText(count);
  const again = t('{0} same as last applied', same.size);
  return count === 0 ? again : `${changesText(count)}, ${again}`;
}

/** "Applied 1 change."; where some of it is as it was last applied, "Applied 2 settings." */
export function appliedText({ changes, same }: Reading): string {
  const count = Object.keys(changes).length;
  if (same.size === 0) return t('Applied {0}.', changesText(count));
  return count === 1 ? t('Applied 1 setting.') : t('Applied {0} settings.', count);
}

function changesText(count: number): string {
  if (count === 0) return t('no changes');
  return count === 1 ? t('1 change') : t('{0} changes', count);
}
