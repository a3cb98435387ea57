import type { FormApp } from '../model/formProtocol.ts';
import type { AppSettings } from '../model/appSettings.ts';
import type { TypedTexts } from './formModel.ts';

/** What outlives the script: the tab is hidden, the window is reloaded. The host reads `app` of it. */
export interface FormState {
  app: FormApp;
  typed: TypedTexts;
  /** What was known while it was typed, so that a change meanwhile is seen. */
  known: AppSettings;
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
