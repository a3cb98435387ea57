import { html, type TemplateResult } from 'lit/html.js';
import { settingsText } from '../model/settings/settingsText.ts';
import { t } from '../model/text/l10n.ts';
import type { Reading } from './formModel.ts';

/** What will be sent: the call and its body, from the current fields. */
export function preview(path: string, reading: Reading): TemplateResult {
  return html`<section class="preview" aria-labelledby="preview-title">
    <h2 id="preview-title">
      ${t('What will be sent')}<span class="count" data-change-count>${countText(reading)}</span>
    </h2>
    <code class="path">PATCH ${path}</code>
    <pre class="body" data-preview tabindex="0" role="region" aria-label=${t('Body of the PATCH')}>
${settingsText(reading.changes)}</pre>
  </section>`;
}

/** "1 change"; "2 changes, 1 same as last applied". */
function countText({ changes, same }: Reading): string {
  const count = Object.keys(changes).length - same.size;
  if (same.size === 0) return changesText(count);
  const again = t('{0} same as last applied', same.size);
  return count === 0 ? again : `${changesText(count)}, ${again}`;
}

/** "Applied 1 change."; if some values are the same as last applied, "Applied 2 settings." */
export function appliedText({ changes, same }: Pick<Reading, 'changes' | 'same'>): string {
  const count = Object.keys(changes).length;
  if (same.size === 0) return t('Applied {0}.', changesText(count));
  return count === 1 ? t('Applied 1 setting.') : t('Applied {0} settings.', count);
}

function changesText(count: number): string {
  if (count === 0) return t('no changes');
  return count === 1 ? t('1 change') : t('{0} changes', count);
}
