import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import { html, type TemplateResult } from 'lit/html.js';
import type { ToolName } from '../model/settings/formProtocol.ts';
import { t } from '../model/text/l10n.ts';

export type ToolButton = ToolName | 'undo';

type Use = (name: ToolButton) => void;

/** The buttons at the top of the form. */
export function topTools(use: Use, canUndo: boolean): TemplateResult {
  return html`<div role="toolbar" aria-label=${t('Form')} class="tools">
    ${tool(use, 'pickPreset', 'bookmark', t('Presets'))} ${tool(use, 'showHistory', 'history', t('History'))}
    ${tool(use, 'undo', 'discard', t('Undo Last Apply'), canUndo)}
  </div>`;
}

/** The buttons beside the preview. */
export function sideTools(use: Use): TemplateResult {
  return html`<div role="toolbar" aria-label=${t('What will be sent')} class="tools side">
    ${tool(use, 'copyAsCurl', 'copy', t('Copy as cURL'))}
    ${tool(use, 'exportToFile', 'export', t('Export to File…'))}
    ${tool(use, 'applyToSeveral', 'layers', t('Apply to Several Apps…'))}
  </div>`;
}

function tool(use: Use, name: ToolButton, icon: string, text: string, enabled = true): TemplateResult {
  return html`<vscode-toolbar-button
    icon=${icon}
    data-action=${name}
    ?inert=${!enabled}
    @click=${() => use(name)}
    >${text}</vscode-toolbar-button
  >`;
}
