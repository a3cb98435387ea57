import type { Draft, FormApp } from '../model/settings/formProtocol.ts';

/** What outlives the script: the tab is hidden, the window is reloaded. The host reads `app` of it. */
export interface FormState extends Draft {
  app: FormApp;
}

/** What VS Code gives to the script of a webview. */
export interface VscodeApi {
  postMessage(message: unknown): void;
  getState(): FormState | undefined;
  setState(state: FormState): void;
}

declare global {
  function acquireVsCodeApi(): VscodeApi;
}
