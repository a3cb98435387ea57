import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { HostCalls } from '../model/settings/formProtocol.ts';
import { t } from '../model/text/l10n.ts';
import { element } from './element.ts';

/** What the host does with the form besides applying it. */
export type ToolName = Exclude<keyof HostCalls, 'load' | 'keep' | 'apply' | 'undo'>;

interface Tools {
  top: HTMLElement;
  side: HTMLElement;
  undo: HTMLElement;
}

/** The buttons at the top of the form, and those beside the preview. */
export function createTools(use: (name: ToolName | 'undo') => void): Tools {
  const button = (name: ToolName | 'undo', icon: string, text: string) =>
    element('vscode-toolbar-button', {
      attributes: { icon, 'data-action': name },
      text,
      on: { click: () => use(name) },
    });
  const group = (label: string, className: string, buttons: HTMLElement[]) =>
    element('div', { attributes: { role: 'toolbar', 'aria-label': label, class: className } }, buttons);
  const undo = button('undo', 'discard', t('Undo Last Apply'));
  return {
    undo,
    top: group(t('Form'), 'tools', [
      button('pickPreset', 'bookmark', t('Presets')),
      button('showHistory', 'history', t('History')),
      undo,
    ]),
    side: group(t('What will be sent'), 'tools side', [
      button('copyAsCurl', 'copy', t('Copy as cURL')),
      button('exportToFile', 'export', t('Export to File…')),
      button('applyToSeveral', 'layers', t('Apply to Several Apps…')),
    ]),
  };
}
