import { html, type TemplateResult } from 'lit/html.js';
import { isProduction } from '../model/projects/environment.ts';
import type { FormContent } from '../model/settings/formProtocol.ts';
import { t } from '../model/text/l10n.ts';

/**
 * The app whose settings these are, and what is known of them.
 * @param notice what changed while the form was open, or what prevents an apply; empty for nothing
 * @param tools the buttons on the right
 */
export function header(content: FormContent, notice: string, tools: TemplateResult): TemplateResult {
  const { appName, projectName, environment = '', lastApplied } = content;
  const known = lastApplied
    ? t(
        'Last applied from this machine on {0}; the service does not report current values.',
        lastApplied.date,
      )
    : t('Nothing has been applied from this machine yet; the service does not report current values.');
  return html`<header>
    <div class="title">
      <h1>${appName}</h1>
      <span class="place">${projectName}</span>
      <span class="environment ${isProduction(environment) ? 'prod' : ''}">${environment}</span>
      ${tools}
    </div>
    <p class="last-applied" data-last-applied>${known}</p>
    <p class="notice" role="status" data-notice .textContent=${notice}></p>
  </header>`;
}
