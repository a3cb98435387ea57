import * as vscode from 'vscode';
import { AppliedSettings } from '../../../src/editor/appSettings/appliedSettings.ts';
import { AppSettingsPanel } from '../../../src/editor/appSettings/settingsForm.ts';
import { SettingsApplier } from '../../../src/editor/appSettings/settingsApplier.ts';
import { ProjectQuestions } from '../../../src/editor/projects/projectQuestions.ts';
import { Projects } from '../../../src/editor/projects/projects.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import { createTransport } from '../../../src/editor/kit/transport.ts';
import type { FormStart } from '../../../src/model/settings/formProtocol.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';
import { WebviewRig } from '../webviewRig.ts';

const app = { projectId: 'p-sandbox', appId: 'app-hello' };

/** The host's side of a form, with everything real but the webview and the answers to questions. */
export class FormRig extends WebviewRig {
  readonly service = new SandboxGate();
  readonly prompts = new AnsweredPrompts();
  readonly app = app;
  #owned: vscode.Disposable | undefined;
  #open: (() => void) | undefined;
  /** Chooses the account whose token app calls use. The one that is named `release` is of production. */
  use: (name: 'ci' | 'release') => Promise<void> = () =>
    Promise.reject(new Error('The rig has not been started.'));
  /** Changes the token that goes out with each call. */
  setToken: (token: string) => Promise<void> = () =>
    Promise.reject(new Error('The rig has not been started.'));

  /** What is known of that token. */
  tokenState: () => Promise<{ refused?: number }> = () =>
    Promise.reject(new Error('The rig has not been started.'));

  /** The origin of the service that the project has now. */
  origin = '';

  async start(environment: string): Promise<void> {
    // Not the extension's own channel of that name: disposing of one closes both.
    const log = vscode.window.createOutputChannel('Form Rig', { log: true });
    const transport = createTransport(log);
    const memento = new MemoryMemento();
    const tokens = new Tokens(new MemorySecrets(), memento);
    const projects = new Projects({ tokens, workspaceState: memento, prompts: this.prompts, log });
    const { baseUrl, proxyUrl, serviceAccountId, token } = await this.service.start();
    const account = { id: serviceAccountId, name: 'ci', environment };
    const release = { id: 'sa-release', name: 'release', environment: 'prod' };
    const apps = [
      { id: app.appId, name: 'hello' },
      { id: 'app-echo', name: 'other' },
    ];
    const transient = projects.addTransient({
      project: { id: app.projectId, name: 'Form', serviceAccounts: [account, release], apps },
      service: { baseUrl, proxyUrl },
      tokens: new Map([serviceAccountId, release.id].map((id) => [id, token])),
    });
    this.use = (name) =>
      projects.useAccount({
        projectId: app.projectId,
        serviceAccountId: name === 'ci' ? serviceAccountId : release.id,
      });
    this.setToken = (changed) => projects.setToken({ projectId: app.projectId, serviceAccountId }, changed);
    this.tokenState = async () => {
      await projects.stored();
      return (await tokens.state(projects.tokenOwner({ projectId: app.projectId, serviceAccountId }))) as {
        refused?: number;
      };
    };
    const questions = new ProjectQuestions(projects, this.prompts);
    this.origin = baseUrl;
    const applied = new AppliedSettings(memento, Date.now, () => this.origin);
    const userAgent = 'test';
    const applier = new SettingsApplier({ projects, questions, applied, transport, userAgent });
    const { extensionUri } = vscode.extensions.getExtension('runhook.runhook')!;
    const { prompts } = this;
    let showing: vscode.Disposable | undefined;
    const services = {
      extensionUri,
      projects,
      applier,
      applied,
      prompts,
      drafts: new Map(),
      unseen: new Map(),
      log,
    };
    this.#open = () => {
      const panel = new AppSettingsPanel(this.panel(), app, services);
      showing?.dispose();
      showing = applied.onDidChange(() => panel.show());
    };
    this.#open();
    this.#owned = vscode.Disposable.from(transient, projects, tokens, applied, transport, log);
  }

  /** Asks what the form begins with. */
  async load(): Promise<FormStart> {
    const { gives } = await this.ask('load');
    return gives?.content as FormStart;
  }

  /** Closes the tab, and opens the form of the app again. */
  reopen(): void {
    this.close();
    this.#open?.();
  }

  async stop(): Promise<void> {
    this.close();
    this.#owned?.dispose();
    await this.service.stop();
  }
}
