import * as vscode from 'vscode';
import type { Remedy } from '../../shared/text/userError.ts';

/** What the manifest says of settings, as far as it is read here. */
interface Manifest {
  contributes: { configuration: readonly { properties: Record<string, { scope?: string }> }[] };
}

/**
 * The editor's command that opens settings, as a click or a button runs it. In a remote window those of the machine stand
 * on a page of their own.
 */
export function openSettings({ kind, ids }: Remedy & { kind: 'openSettings' | 'openEditorSettings' }) {
  const all = kind === 'openSettings' ? ids.map((id) => `runhook.${id}`) : ids;
  const asked = { query: `@id:${all.join(',')}` };
  return vscode.env.remoteName !== undefined && all.every(isOfMachine)
    ? { command: 'workbench.action.openRemoteSettings', arguments: [asked] }
    : { command: 'workbench.action.openSettings', arguments: [asked.query] };
}

function isOfMachine(id: string): boolean {
  const manifest = vscode.extensions.getExtension<unknown>('runhook.runhook')?.packageJSON as
    | Manifest
    | undefined;
  const groups = manifest?.contributes.configuration ?? [];
  return groups.some(({ properties }) => properties[id]?.scope === 'machine');
}
