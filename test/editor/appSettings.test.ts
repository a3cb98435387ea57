import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { FormContent, FormHead, FormStart, SentWith } from '../../src/pages/form/formProtocol.ts';
import { AppliedSettings } from '../../src/editor/appSettings/appliedSettings.ts';
import { AppSettingsPanel, FormDrafts } from '../../src/editor/appSettings/settingsForm.ts';
import { SettingsApplier } from '../../src/editor/appSettings/settingsApplier.ts';
import { DeclinedError } from '../../src/editor/kit/prompts.ts';
import { ProjectQuestions } from '../../src/editor/projects/projectQuestions.ts';
import { Projects } from '../../src/editor/projects/projects.ts';
import { Tokens } from '../../src/editor/projects/tokens.ts';
import { createTransport } from '../../src/editor/kit/transport.ts';
import { statusBarMessagesDuring } from '../support/editor/statusBarMessages.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { codeLenses } from '../support/editor/codeLenses.ts';
import { assertHarmless } from '../support/untrusted/assertHarmless.ts';
import { hostileTexts } from '../support/untrusted/hostileTexts.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import { AnsweredPrompts } from '../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../support/editor/memorySecrets.ts';
import { WebviewRig } from './webviewRig.ts';

const app = { projectId: 'p-sandbox', appId: 'app-hello' };

/** The host's side of a form, with everything real but the webview and the answers to questions. */
class FormRig extends WebviewRig {
  readonly service = new SandboxGate();
  readonly prompts = new AnsweredPrompts();
  readonly app = app;
  #owned: vscode.Disposable | undefined;
  #open: ((head?: FormHead) => void) | undefined;
  /** Chooses the account whose token app calls use. The one that is named `release` is of production. */
  use: (name: 'ci' | 'release') => Promise<void> = () =>
    Promise.reject(new Error('The rig has not been started.'));
  /** Changes the token that goes out with each call. */
  setToken: (token: string) => Promise<void> = () =>
    Promise.reject(new Error('The rig has not been started.'));

  /** What is known of that token. */
  tokenState: () => Promise<{ refused?: number }> = () =>
    Promise.reject(new Error('The rig has not been started.'));

  /** Takes the project away, as the end of the sandbox does. */
  removeProject = (): void => undefined;

  /** Erases what was applied, as a reset does. */
  erase: () => Promise<void> = () => Promise.reject(new Error('The rig has not been started.'));

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
    this.removeProject = () => void transient.dispose();
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
    const applied = new AppliedSettings(memento, Date.now, () => projects.find(app.projectId) && this.origin);
    this.erase = () => applied.erase();
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
      drafts: new FormDrafts(memento),
      unseen: new Map(),
      log,
    };
    this.#open = (head) => {
      const panel = new AppSettingsPanel(this.panel(), app, services, head);
      showing?.dispose();
      showing = vscode.Disposable.from(
        applied.onDidChange(() => panel.show()),
        projects.onDidChangeToken(({ change, ...ref }) => {
          if (change !== 'answered') panel.tokenChanged(ref);
        }),
      );
    };
    this.#open();
    this.#owned = vscode.Disposable.from(transient, projects, tokens, applied, transport, log);
  }

  /** Asks what the form begins with. */
  async load(): Promise<FormStart> {
    const { gives } = await this.ask('load');
    return gives?.content as FormStart;
  }

  /** Closes the tab, and opens the form of the app again. @param head what its webview has kept */
  reopen(head?: FormHead): void {
    this.close();
    this.#open?.(head);
  }

  async stop(): Promise<void> {
    this.close();
    this.#owned?.dispose();
    await this.service.stop();
  }
}

describe('the settings that were last applied', () => {
  const rig = new FormRig();
  const known = async () => (await rig.load()).shown.lastApplied?.known;
  before(() => rig.start('dev'));
  after(() => rig.stop());

  it('belong to the service that the change was sent to, if another one is set before the answer', async () => {
    const { origin } = rig;
    rig.service.change = (answer) => {
      rig.origin = 'http://other.example';
      return answer;
    };
    await rig.ask('apply', { settings: { replicaConcurrency: 7 } });
    assert.equal(await known(), undefined, 'nothing was applied at the other service');
    rig.origin = origin;
    assert.deepEqual(await known(), { replicaConcurrency: 7 });
  });

  it('belong to it, too, if the answer breaks off', async () => {
    const { origin } = rig;
    rig.service.change = (answer) => {
      rig.origin = 'http://other.example';
      return { ...answer, body: '{"gpu', headers: ['content-length', '100', 'connection', 'close'] };
    };
    await rig.ask('apply', { settings: { replicaConcurrency: 8, gpuCount: 1 } });
    assert.equal(await known(), undefined);
    rig.origin = origin;
    assert.deepEqual(await known(), {}, 'what was sent is unknown now');
  });
});

interface SandboxInfo {
  projectId: string;
  apps: { id: string; name: string }[];
}

/** What a form says of an apply that failed. */
const failure = (gives: { outcome?: unknown } | undefined): string =>
  (gives?.outcome as { kind: 'failed'; message: string }).message;

const apply = async (argument: object): Promise<{ applied: unknown }> =>
  vscode.commands.executeCommand('runhook.applyAppSettings', argument);

const answerPrompts = async (...answers: unknown[]): Promise<unknown> =>
  vscode.commands.executeCommand('runhook.test.answerPrompts', answers);

describe('the commands of app settings', () => {
  let app: { projectId: string; appId: string };
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

  before(async () => {
    const sandbox = await vscode.commands.executeCommand<SandboxInfo>('runhook.startSandbox');
    app = { projectId: sandbox.projectId, appId: sandbox.apps[0]!.id };
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('runhook.stopSandbox');
  });

  it('applyAppSettings applies, and returns what was applied', async () => {
    const settings = { gpuCount: 2, memory: '0.5', compute: 'ADA_L4' };
    assert.deepEqual(await apply({ ...app, settings }), { applied: settings });
    assert.deepEqual(await apply({ ...app, settings }), { applied: settings }, 'once more, all of it');
  });

  const refused: [string, object, RegExp][] = [
    ['a value above its range', { settings: { gpuCount: 9 } }, /gpuCount: Enter 8 or less/],
    ['a value below its range', { settings: { cooldownPeriodSeconds: 0 } }, /Enter 1 or more/],
    ['what JSON may not carry exactly', { settings: { minReplicaCount: 2 ** 53 } }, /9007199254740991/],
    [
      'a number where a string goes',
      { settings: { memory: 8 } },
      /memory: Give it as a string, in quotes: "8"/,
    ],
    ['an unknown setting', { settings: { replicas: 1 } }, /no setting "replicas"/],
    ['no settings at all', { settings: {} }, /nothing to apply/],
    ['settings that are a list', { settings: [] }, /JSON object/],
    ['an unknown app', { appId: 'nobody', settings: { gpuCount: 1 } }, /nobody/],
  ];
  for (const [what, part, reason] of refused) {
    it(`applyAppSettings rejects ${what}`, () => assert.rejects(apply({ ...app, ...part }), reason));
  }

  it('applyAppSettings asks for what it lacks', async () => {
    await answerPrompts('{"gpuCount": 1}');
    assert.deepEqual(await apply(app), { applied: { gpuCount: 1 } });
  });

  it('editAppSettings opens one form an app', async () => {
    await vscode.commands.executeCommand('runhook.editAppSettings', app);
    await vscode.commands.executeCommand('runhook.editAppSettings', app);
    await waitFor('the form', () => tabs().filter((label) => label.endsWith('Settings')).length === 1);
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('runhook.editAppSettings', { ...app, appId: 'nobody' })),
      /nobody/,
    );
  });

  it('a settings file has links, applies, and names what does not fit', async () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const path = join(folder, 'hello.runhook.json');
    const file = vscode.Uri.file(path).toString();
    await writeFile(path, JSON.stringify({ app: app.appId, settings: { minReplicaCount: 1 } }));
    await vscode.window.showTextDocument(vscode.Uri.file(path));
    const lenses = await codeLenses(vscode.Uri.file(path));
    assert.deepEqual(
      lenses.map(({ command }) => command),
      ['runhook.applySettingsFile', 'runhook.openSettingsFile'],
    );
    const said = await statusBarMessagesDuring(async () => {
      const applied = await vscode.commands.executeCommand('runhook.applySettingsFile', { file });
      assert.deepEqual(applied, { applied: { minReplicaCount: 1 } });
    });
    assert.deepEqual(said, ['Applied 1 setting to hello.']);
    // It stays said where it was asked for, until the file is another one.
    const [applied] = await codeLenses(vscode.Uri.file(path));
    assert.match(applied?.title ?? '', /^\$\(check\) Applied /);
    await vscode.commands.executeCommand('runhook.openSettingsFile', { file });

    // It is sent all the same, as from the form.
    const unlikely = vscode.Uri.file(join(folder, 'unlikely.runhook.json'));
    const settings = { minReplicaCount: 9, maxReplicaCount: 3 };
    await writeFile(unlikely.fsPath, JSON.stringify({ app: app.appId, settings }));
    await vscode.window.showTextDocument(unlikely);
    const [warning] = await codeLenses(unlikely);
    assert.match(
      warning?.title ?? '',
      /^\$\(warning\).The minimum of 9 replicas is above the maximum of 3\.$/,
    );

    const bad = join(folder, 'bad.runhook.json');
    await writeFile(bad, JSON.stringify({ app: app.appId, settings: { gpuCount: 99 } }));
    await assert.rejects(
      Promise.resolve(
        vscode.commands.executeCommand('runhook.applySettingsFile', {
          file: vscode.Uri.file(bad).toString(),
        }),
      ),
      /gpuCount: Enter 8 or less/,
    );
  });

  it('the JSON editor marks what breaks a limit in a settings file', async function () {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const uri = vscode.Uri.joinPath(folder, 'marked.runhook.json');
    const text = '{"app": "hello", "settings": {"cpu": "101", "gpuCount": 2}}';
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    await vscode.window.showTextDocument(uri);
    const found = await waitFor('a diagnostic', () => vscode.languages.getDiagnostics(uri)[0]);
    assert.match(found.message, /0 to 100/);
  });
});

describe('what the form asks of the host', () => {
  const rig = new FormRig();
  const bodies = () => rig.service.requests.map(({ body }) => JSON.parse(body) as unknown);
  const known = async () => (await rig.load()).shown.lastApplied;
  before(() => rig.start('dev'));
  after(() => rig.stop());
  beforeEach(() => {
    rig.service.reset();
    rig.prompts.answers = [];
    rig.prompts.asked.length = 0;
  });

  it('apply sends one PATCH with exactly these settings, and remembers them', async () => {
    assert.equal(await known(), undefined);
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 2, memory: '8' } });
    assert.equal(gives?.kind, 'applied');
    assert.deepEqual(bodies(), [{ gpuCount: 2, memory: '8' }]);
    assert.equal(rig.service.requests[0]?.method, 'PATCH');
    assert.equal(rig.service.requests[0].url, '/v2/projects/p-sandbox/apps/app-hello');
    assert.deepEqual((await known())?.known, { gpuCount: 2, memory: '8' });
    assert.deepEqual((await known())?.undo, {});
  });

  it('tells what is known since an apply, and then its outcome alone', async () => {
    const { account } = (await rig.load()).shown;
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 2 } });
    assert.deepEqual(gives, { kind: 'applied', sentWith: { account, environment: 'dev', name: 'ci' } });
    const [told, outcome] = rig.sent.slice(-2);
    assert.equal(told?.m, 'show');
    assert.equal((told.a?.[0] as FormContent).lastApplied?.known.gpuCount, 2);
    assert.deepEqual(outcome?.r, gives);
  });

  it('has the outcome of an apply for the next page, until one has seen it', async () => {
    rig.service.answers(422, { message: 'not now' });
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 2 } });
    assert.equal((await rig.load()).isApplying, true);
    assert.deepEqual((await rig.ask('outcome')).gives, gives);
    await rig.ask('seen');
    assert.equal((await rig.load()).isApplying, false);
  });

  it('has what the form said for its next page, but what was over meanwhile', async () => {
    const error = { kind: 'error', text: 'Rejected.', fields: ['gpuCount'], mend: 'setToken' };
    const { account } = (await rig.load()).shown;
    const said = { status: error, account, hasApplied: true };
    await rig.ask('say', said);
    assert.deepEqual((await rig.load()).said, said);
    await rig.setToken(rig.service.address.token);
    assert.equal((await rig.load()).said, undefined);
  });

  it('the fields that the answer carries win', async () => {
    rig.service.answers(200, { app: { gpu_count: 3, memory: 8 } });
    await rig.ask('apply', { settings: { gpuCount: 4 } });
    assert.deepEqual((await known())?.known, { gpuCount: 3, memory: '8' });
  });

  it('undo sends the values before, as far as they are known', async () => {
    await rig.ask('apply', { settings: { gpuCount: 5, cpu: '1' } });
    assert.deepEqual((await known())?.undo, { gpuCount: 3 });
    assert.deepEqual((await known())?.stays, ['cpu']);
    await rig.ask('undo');
    assert.deepEqual((await known())?.stays, []);
    assert.deepEqual(bodies(), [{ gpuCount: 5, cpu: '1' }, { gpuCount: 3 }]);
    rig.prompts.answers = [undefined];
    await rig.ask('showHistory', { settings: {} });
    const [undo, undone] = rig.prompts.offered.map(({ description }) => description);
    assert.equal(undo, 'Undo: GPUs 5 → 3');
    assert.equal(undone, 'GPUs 3 → 5, CPU ? → 1');
  });

  it('a refusal comes back in words, with the fields that it names', async () => {
    rig.service.answers(422, { detail: [{ loc: ['body', 'min_replica_count'], msg: 'not now' }] });
    const { gives } = await rig.ask('apply', { settings: { minReplicaCount: 1, gpuCount: 1 } });
    assert.deepEqual(gives?.fields, ['minReplicaCount']);
    assert.match(String(gives.message), /422: min_replica_count: not now/);
  });

  it('a refused token is asked for anew, and the same settings go out with it', async () => {
    await rig.load();
    await rig.setToken('a-revoked-token');
    rig.prompts.answers = ['another-revoked-token', rig.service.address.token, true];
    const before = rig.told('sending').length;
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 6 } });
    assert.equal(gives?.kind, 'applied');
    // The form says that it applies while nothing is asked.
    const sent = { gpuCount: 6 };
    assert.deepEqual(rig.told('sending').slice(before), [sent, null, sent, null, sent]);
    assert.deepEqual(bodies(), [{ gpuCount: 6 }, { gpuCount: 6 }, { gpuCount: 6 }]);
    assert.match(rig.prompts.asked[0] ?? '', /rejected the token of ci \(401\)/);
    assert.match(rig.prompts.asked[1] ?? '', /rejected this token too \(401\)/);
  });

  it('the token of before comes back where none that is entered is taken', async () => {
    await rig.setToken(rig.service.address.token);
    rig.service.answers(403, { message: 'revoked' });
    rig.prompts.answers = ['garbage', undefined];
    await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal((await rig.tokenState()).refused, 403);
    rig.service.change = (answer) => answer;
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal(gives?.kind, 'applied');
  });

  it('a refused token is said of its account, until the service takes one', async () => {
    const state = async () => rig.tokenState();
    for (const status of [401, 403]) {
      rig.service.answers(status, { message: 'revoked' });
      rig.prompts.answers = [undefined];
      await rig.ask('apply', { settings: { gpuCount: 1 } });
      assert.equal((await state()).refused, status);
      rig.service.change = (answer) => answer;
      await rig.ask('apply', { settings: { gpuCount: 1 } });
      assert.equal((await state()).refused, undefined);
    }
  });

  it('a refused token that is not replaced leaves the reason in the form', async () => {
    rig.service.answers(403, { message: 'no' });
    rig.prompts.answers = [undefined];
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 6 } });
    assert.equal(gives?.kind, 'failed');
    assert.match(String(gives.message), /403: no$/);
    assert.equal(gives.mend, 'setToken');
  });

  it('a redirect offers to set the address', async () => {
    const elsewhere = 'https://elsewhere.example/v2';
    rig.service.answers(307, '', { location: elsewhere });
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 6 } });
    assert.match(String(gives?.message), /redirects to https:\/\/elsewhere\.example \(307\)\./);
    assert.equal(gives?.mend, 'setAddress');
  });

  /** The token is refused, and an account of production is chosen while another one is asked for. */
  async function whereReleaseComesIntoUse<T>(action: () => Promise<T>): Promise<T> {
    await rig.setToken('a-revoked-token');
    rig.prompts.input = async () => {
      await rig.use('release');
      return rig.service.address.token;
    };
    try {
      return await action();
    } finally {
      await rig.use('ci');
      Reflect.deleteProperty(rig.prompts, 'input');
    }
  }

  it('asks first where an account of production is in use once a refused token was asked for', async () => {
    rig.prompts.answers = [false];
    const { gives } = await whereReleaseComesIntoUse(() => rig.ask('apply', { settings: { gpuCount: 6 } }));
    assert.equal(gives?.kind, 'declined');
    assert.equal(rig.service.requests.length, 1);
    assert.match(rig.prompts.asked[0] ?? '', / in prod\?/);
  });

  it('an outcome names the account that it was sent with, though another one has come into use', async () => {
    await rig.setToken('a-revoked-token');
    rig.prompts.input = async () => {
      await rig.use('release');
      throw new DeclinedError('Cancelled.');
    };
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 6 } });
    Reflect.deleteProperty(rig.prompts, 'input');
    assert.equal(gives?.mend, 'setToken');
    assert.equal((gives.sentWith as SentWith).name, 'ci');
    const { shown } = await rig.load();
    assert.equal(shown.account, 'sa-release');
    assert.notEqual((gives.sentWith as SentWith).account, shown.account);
    await rig.use('ci');
    assert.equal((gives.sentWith as SentWith).account, (await rig.load()).shown.account);
    await rig.setToken(rig.service.address.token);
  });

  it('a service that is away is said in the form', async () => {
    rig.service.change = () => undefined;
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 6 } });
    assert.equal(gives?.kind, 'failed');
  });

  /** The service takes a change, and its answer breaks off. */
  const breakOff = () => rig.service.answers(200, '{"gpu', { 'content-length': '100', connection: 'close' });

  it('a change whose answer breaks off may have been applied: its values are not known any more', async () => {
    await rig.ask('apply', { settings: { gpuCount: 4, cpu: '2' } });
    breakOff();
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 5 } });
    assert.equal(gives?.kind, 'failed');
    assert.match(String(gives.message), /accepted the change, but its response was cut off.*may have been/);
    const after = await known();
    assert.deepEqual([after?.known.gpuCount, after?.known.cpu, after?.isUnsure], [undefined, '2', true]);
    rig.service.reset();
    await rig.ask('undo');
    assert.deepEqual(bodies(), [{ gpuCount: 4 }], 'undo takes back what may have been applied');
    assert.equal((await known())?.isUnsure, false);
  });

  it('an undo whose answer breaks off can be sent again, and is no redo', async () => {
    await rig.ask('apply', { settings: { gpuCount: 2 } });
    await rig.ask('apply', { settings: { gpuCount: 3 } });
    breakOff();
    assert.equal((await rig.ask('undo')).gives?.kind, 'failed');
    assert.equal((await known())?.known.gpuCount, undefined);
    assert.deepEqual((await known())?.undo, { gpuCount: 2 });
    rig.service.reset();
    await rig.ask('undo');
    assert.deepEqual(bodies(), [{ gpuCount: 2 }]);
  });

  it('an apply that a reload interrupted has the time at which it was sent', async () => {
    // Later than those before it, as that of a window is which was loaded anew.
    const at = Date.now() + 60_000;
    await rig.ask('interrupted', { settings: { gpuCount: 3 }, at });
    const last = await known();
    assert.deepEqual([last?.at, last?.isUnsure], [at, true]);
  });

  it('several apps: what may have been applied is counted by itself', async () => {
    breakOff();
    rig.prompts.answers = [['hello', 'other'], true];
    const { gives } = await rig.ask('applyToSeveral', { settings: { gpuCount: 4 } });
    assert.match(
      failure(gives),
      /^Applied to 0 of 2 apps, possibly to 2 more\.\nhello · Form · dev, other · .*may have been applied/,
    );
    rig.service.reset();
    await rig.ask('apply', { settings: { gpuCount: 6 } });
  });

  it('an apply of the history goes out again', async () => {
    await rig.ask('apply', { settings: { gpuCount: 7 } });
    rig.prompts.answers = [(await known())!.date, 'Apply Again'];
    rig.prompts.asked.length = 0;
    const { gives } = await rig.ask('showHistory', { settings: {} });
    assert.equal((gives?.outcome as { kind: string }).kind, 'applied');
    assert.equal(rig.prompts.asked[0], 'History of hello');
    assert.deepEqual(bodies(), [{ gpuCount: 7 }, { gpuCount: 7 }]);
  });

  it('the history shows a diff in the editor', async () => {
    rig.prompts.answers = [(await known())!.date, 'Show Changes'];
    await rig.ask('showHistory', { settings: {} });
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const { query } = input.modified;
    assert.equal((JSON.parse(query) as { gpuCount: number }).gpuCount, 7);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('presets: the built-in ones, and the settings files of the workspace', async () => {
    rig.prompts.answers = ['Scale to zero'];
    assert.deepEqual((await rig.ask('pickPreset', { settings: {} })).gives?.fill, {
      minReplicaCount: 0,
      cooldownPeriodSeconds: 60,
    });
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const write = (name: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), new TextEncoder().encode(text));
    await write('mine.runhook.json', '{"app": "any", "settings": {"memory": "64"}}');
    await write('broken.runhook.json', '{"app": "any", "settings": {"memory": 64}}');
    rig.prompts.answers = ['mine.runhook.json', 'broken.runhook.json'];
    assert.deepEqual((await rig.ask('pickPreset', { settings: {} })).gives?.fill, { memory: '64' });
    assert.deepEqual(
      (await rig.ask('pickPreset', { settings: {} })).gives,
      {},
      'what does not fit is not offered',
    );
  });

  it('several apps: a preview of each, then what succeeded and what failed', async () => {
    rig.service.change = (answer, { url }) =>
      url.endsWith('app-echo') ? { ...answer, status: 500 } : answer;
    rig.prompts.answers = [['hello', 'other'], true];
    const { gives } = await rig.ask('applyToSeveral', { settings: { gpuCount: 1 } });
    assert.match(
      rig.prompts.asked[1] ?? '',
      /hello · Form · dev: GPUs 7 → 1\nother · Form · dev: GPUs \? → 1/,
    );
    assert.match(failure(gives), /Applied to 1 of 2 apps\.\nother · Form · dev: The service returned 500/);
    assert.deepEqual(
      (await rig.ask('outcome')).gives,
      gives?.outcome,
      'for a page that was hidden meanwhile',
    );
    rig.service.reset();
    rig.prompts.answers = [['hello', 'other'], true];
    await rig.ask('applyToSeveral', { settings: { gpuCount: 1 } });
    const whole = { kind: 'appliedToSeveral', text: 'Applied to 2 apps.' };
    assert.deepEqual((await rig.ask('outcome')).gives, whole);
    rig.prompts.answers = [[]];
    await rig.ask('seen');
    assert.deepEqual((await rig.ask('applyToSeveral', { settings: { gpuCount: 1 } })).gives, {});
    assert.equal((await rig.load()).isApplying, false);
  });

  it('several apps: another token is asked for once, and who has none is asked for no other app', async () => {
    rig.service.change = (answer) => ({ ...answer, status: 401 });
    rig.prompts.answers = [['hello', 'other'], true, undefined];
    rig.prompts.asked.length = 0;
    const { gives } = await rig.ask('applyToSeveral', { settings: { gpuCount: 1 } });
    assert.match(
      failure(gives),
      /^Applied to 0 of 2 apps\.\nhello · Form · dev, other · Form · dev: The service returned 401/,
    );
    assert.equal(rig.prompts.asked.length, 3, rig.prompts.asked.join());
    assert.equal(rig.service.requests.length, 1);
    assert.equal((gives?.outcome as { mend?: string }).mend, 'setToken');
  });

  it('several apps: each is asked for where an account of production has come into use', async () => {
    rig.prompts.answers = [['hello', 'other'], true, false, false];
    const { gives } = await whereReleaseComesIntoUse(() =>
      rig.ask('applyToSeveral', { settings: { gpuCount: 1 } }),
    );
    assert.match(failure(gives), /^Applied to 0 of 2 apps\./);
    assert.equal(rig.service.requests.length, 1);
    for (const question of rig.prompts.asked.slice(2)) assert.match(question, / in prod\?/);
  });

  it('several apps: sends what was last applied all the same, and says so', async () => {
    const { known: before } = (await known()) as { known: { gpuCount: number } };
    rig.prompts.answers = [['hello', 'other'], true];
    await rig.ask('applyToSeveral', { settings: { gpuCount: before.gpuCount } });
    assert.match(rig.prompts.asked[1] ?? '', /hello · Form · dev: GPUs \d \(same as last applied\)\n/);
    assert.deepEqual(bodies(), [{ gpuCount: before.gpuCount }, { gpuCount: before.gpuCount }]);
  });

  it('sends again what was last applied: it may have been changed elsewhere', async () => {
    const { known: before } = (await known()) as { known: { gpuCount: number } };
    const { gives } = await rig.ask('apply', { settings: { gpuCount: before.gpuCount } });
    assert.equal(gives?.kind, 'applied');
    assert.deepEqual(bodies(), [{ gpuCount: before.gpuCount }]);
  });

  it('keeps a field that is to be sent again, though the form is closed', async () => {
    const draft = { typed: { gpuCount: '1' }, known: { gpuCount: 1 } };
    await rig.ask('keep', draft);
    rig.reopen();
    assert.deepEqual((await rig.load()).draft, draft);
    await rig.ask('keep', { typed: {}, known: {} });
  });

  it('copies the PATCH as cURL, without the token', async () => {
    await rig.ask('copyAsCurl', { settings: { memory: '0.5' } });
    const command = await vscode.env.clipboard.readText();
    assert.match(command, /--request 'PATCH'/);
    assert.match(command, /\$RUNHOOK_TOKEN/);
    assert.match(command, /\{"memory":"0\.5"\}/);
    assert.ok(!command.includes(rig.service.address.token));
  });

  it('a form that is closed and opened again gets back what was typed, valid or not', async () => {
    const draft = { typed: { gpuCount: '99', cpu: ' 4' }, known: { gpuCount: 1 } };
    assert.equal((await rig.load()).draft, undefined);
    await rig.ask('keep', draft);
    rig.reopen();
    assert.deepEqual((await rig.load()).draft, draft);
    await rig.ask('keep', { typed: {}, known: { gpuCount: 1 } });
    rig.reopen();
    assert.equal((await rig.load()).draft, undefined);
  });

  it('keeps the last 20 applies', async function () {
    for (let count = 0; count < 22; count += 1) {
      await rig.ask('apply', { settings: { gpuCount: count % 9 } });
    }
    rig.prompts.answers = [undefined];
    await rig.ask('showHistory', { settings: {} });
    assert.equal(rig.prompts.offered.length, 20);
  });
});

describe('the form of an app under prod', () => {
  const rig = new FormRig();
  before(() => rig.start('prod'));
  after(() => rig.stop());

  it('asks first, and sends nothing where the user declines', async () => {
    await rig.load();
    rig.prompts.answers = [false, true];
    const declined = await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal(declined.gives?.kind, 'declined');
    assert.equal(rig.service.requests.length, 0);
    const applied = await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal(applied.gives?.kind, 'applied');
    assert.deepEqual(rig.told('sending'), [null, null, { gpuCount: 1 }]);
    assert.match(
      rig.prompts.asked[0] ?? '',
      /Apply 1 setting to hello in prod\?\nGPUs \? → 1\n.*\[Apply\]$/s,
    );
  });

  it('names each field with the value before and after, and what deserves a second look', async () => {
    rig.prompts.answers = [true];
    await rig.ask('apply', { settings: { gpuCount: 1 } });
    rig.prompts.asked.length = 0;
    rig.prompts.answers = [false];
    await rig.ask('apply', { settings: { compute: 'CPU', gpuCount: 2 } });
    const [asked = ''] = rig.prompts.asked;
    assert.match(asked, /^Apply 2 settings to hello in prod\?\nCompute \? → CPU\nGPUs 1 → 2\n/);
    assert.match(asked, /\n⚠ The compute is CPU, and the number of GPUs is not 0\.\n/);
    assert.match(asked, /\nProject Form, service account ci\.\n\[Apply\]$/);
  });

  it('says what an undo takes back, and what a redo sends again', async () => {
    rig.prompts.answers = [true, true, true, true, true];
    await rig.ask('apply', { settings: { gpuCount: 3 } });
    await rig.ask('apply', { settings: { gpuCount: 5 } });
    rig.prompts.asked.length = 0;
    const undone = await rig.ask('undo');
    assert.equal(undone.gives?.kind, 'applied');
    const [asked = ''] = rig.prompts.asked;
    assert.match(asked, /^Undo the last apply to hello in prod\?\nGPUs 5 → 3\n.*\[Undo\]$/s);
    await rig.ask('undo');
    await rig.ask('undo');
    const [, redone = '', again = ''] = rig.prompts.asked;
    assert.match(redone, /^Redo the last apply to hello in prod\?\nGPUs 3 → 5\n.*\[Redo\]$/s);
    assert.match(again, /^Undo the last apply to hello in prod\?\nGPUs 5 → 3\n/);
  });
});

describe('the form of an app whose sandbox is stopped', () => {
  const rig = new FormRig();
  before(() => rig.start('dev'));
  after(() => rig.stop());

  it('keeps the names, and offers to start the sandbox', async () => {
    await rig.ask('apply', { settings: { gpuCount: 2 } });
    const before = (await rig.load()).shown;
    rig.removeProject();
    const { shown } = await rig.load();
    const names = ({ appName, projectName, environment }: FormContent) => [appName, projectName, environment];
    assert.deepEqual(names(before), ['hello', 'Form', 'dev']);
    assert.deepEqual(names(shown), names(before));
    assert.match(shown.obstacle ?? '', /^The sandbox is stopped\. Start it to go on/);
    assert.equal(shown.startsSandbox, true);
    assert.equal(before.startsSandbox, false);
    assert.equal(shown.lastApplied?.known.gpuCount, 2);
    // After a reload the host knows of them only what the webview has kept.
    rig.reopen(before);
    const { shown: reloaded } = await rig.load();
    assert.deepEqual(names(reloaded), names(before));
    assert.equal(reloaded.lastApplied?.known.gpuCount, 2);
  });

  it('says that nothing is known to be applied once that was erased', async () => {
    await rig.erase();
    const { shown } = await rig.load();
    assert.equal(shown.lastApplied, undefined);
    assert.equal((rig.told('show').at(-1) as FormContent).lastApplied, undefined);
  });
});

describe('what was applied to the apps of a project', () => {
  it('is forgotten once its sandbox was reset, and of no other project', async () => {
    const origin = 'http://127.0.0.1:1';
    const applied = new AppliedSettings(new MemoryMemento(), Date.now, () => origin);
    const [of, ofAnother] = [
      { projectId: 'p', appId: 'a' },
      { projectId: 'p-2', appId: 'a' },
    ];
    for (const one of [of, ofAnother]) await applied.add(one, origin, { sent: { gpuCount: 2 } }, {});
    await applied.forget('p');
    assert.deepEqual(applied.known(of), {});
    assert.deepEqual(applied.history(of), []);
    assert.deepEqual(applied.known(ofAnother), { gpuCount: 2 });
    applied.dispose();
  });
});

describe('an apply that the end of the sandbox breaks off', () => {
  const rig = new FormRig();
  before(() => rig.start('dev'));
  after(() => rig.stop());

  it('says so, and that it may have been applied: in its message and at the top', async () => {
    rig.service.change = () => {
      rig.removeProject();
      return undefined;
    };
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 3 } });
    assert.match(
      String(gives?.message),
      /^The sandbox was stopped before it responded\. The change may have been applied: apply it again/,
    );
    const { shown } = await rig.load();
    assert.equal(shown.lastApplied?.isUnsure, true);
    assert.deepEqual(shown.lastApplied.sent, { gpuCount: 3 });
  });
});

describe('messages that a webview should not send', () => {
  const rig = new FormRig();
  before(() => rig.start('dev'));
  after(() => rig.stop());

  const shapeless: unknown[] = [
    null,
    undefined,
    42,
    'apply',
    [],
    {},
    { t: 'q' },
    { t: 's', i: 1 },
    { t: 's', i: 'x', e: null },
    { t: '__proto__', i: 'x', m: 'apply', a: [{}] },
    { t: 'q', i: 1, m: 'apply', a: [{ settings: { gpuCount: 1 } }] },
    { t: 'q', i: 'x', m: 'apply', a: { settings: { gpuCount: 1 } } },
  ];
  it('are dropped where they have no shape, and the next good one is answered', async () => {
    for (const message of shapeless) rig.post(message);
    const { gives } = await rig.ask('load');
    assert.notEqual(gives, undefined);
    assert.equal(rig.service.requests.length, 0);
  });

  const misfits: [string, string, unknown][] = [
    ['an unknown request', 'executeCommand', { command: 'workbench.action.quit' }],
    ['a request named like a member of every object', 'constructor', {}],
    ['__proto__ as a request', '__proto__', {}],
    ['an apply without settings', 'apply', {}],
    ['a request that takes nothing', 'apply', null],
    ['a request that takes a list', 'apply', []],
    ['a typed text that is none', 'keep', { typed: { gpuCount: 1 }, known: {} }],
    ['known settings beyond a limit', 'keep', { typed: {}, known: { gpuCount: 9 } }],
    [
      'something said of a field that there is not',
      'say',
      { status: { kind: 'error', text: 'No.', fields: ['admin'] }, hasApplied: false },
    ],
  ];
  for (const [what, name, takes] of misfits) {
    it(`${what} is answered with a failure`, async () => {
      const { failure } = await rig.ask(name, takes);
      assert.match(failure?.message ?? '', /does not fit the protocol/);
    });
  }

  const broken: [string, unknown][] = [
    ['above a limit', { gpuCount: 9 }],
    ['below a limit', { cooldownPeriodSeconds: 0 }],
    ['of another type', { memory: 8 }],
    ['that the service does not know', { gpuCount: 1, admin: true }],
    ['with an own __proto__', JSON.parse('{"gpuCount": 1, "__proto__": {"cpu": "1"}}')],
    ['that are a list', [1]],
    ['that are a text', '{"gpuCount": 1}'],
    ['that are none', {}],
  ];
  for (const [what, settings] of broken) {
    for (const name of ['apply', 'copyAsCurl', 'exportToFile', 'applyToSeveral']) {
      it(`${name} refuses settings ${what}`, async () => {
        const { gives, failure } = await rig.ask(name, { settings });
        assert.match(String(failure?.message ?? gives?.['message']), /Nothing was sent|nothing to apply/);
        assert.notEqual(gives?.kind, 'applied');
      });
    }
  }

  it('never made the host send anything', () => assert.deepEqual(rig.service.requests, []));

  it('cannot read a token: none ever went to the webview', async () => {
    await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal(rig.service.requests[0]?.headers.authorization, `Bearer ${rig.service.address.token}`);
    assert.ok(!JSON.stringify(rig.sent).includes(rig.service.address.token));
  });

  it('get what the service says as one harmless line', async () => {
    for (const text of hostileTexts) {
      rig.service.answers(422, { message: text });
      const { gives } = await rig.ask('apply', { settings: { gpuCount: 1 } });
      assert.equal(gives?.kind, 'failed');
      assertHarmless(String(gives.message), 500);
    }
    rig.service.reset();
  });

  it('meet a page that loads nothing but its own parts', () => {
    assert.match(rig.html, /default-src &#39;none&#39;|default-src 'none'/);
    assert.doesNotMatch(rig.html, /unsafe/);
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(rig.html) ?? [];
    assert.ok(nonce !== undefined && nonce.length >= 24);
  });
});
