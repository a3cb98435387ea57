import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { FormContent } from '../../../src/model/settings/formProtocol.ts';
import { FormRig } from './formRig.ts';

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
    assert.equal((await known())?.canUndo, false);
  });

  it('tells what is known since an apply, and then its outcome alone', async () => {
    await rig.load();
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 2 } });
    assert.deepEqual(gives, { kind: 'applied' });
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

  it('the fields that the answer carries win', async () => {
    rig.service.answers(200, { app: { gpu_count: 3, memory: 8 } });
    await rig.ask('apply', { settings: { gpuCount: 4 } });
    assert.deepEqual((await known())?.known, { gpuCount: 3, memory: '8' });
  });

  it('undo sends the values before, as far as they are known', async () => {
    await rig.ask('apply', { settings: { gpuCount: 5, cpu: '1' } });
    assert.equal((await known())?.canUndo, true);
    await rig.ask('undo');
    assert.deepEqual(bodies(), [{ gpuCount: 5, cpu: '1' }, { gpuCount: 3 }]);
  });

  it('a refusal comes back in words, with the fields that it names', async () => {
    rig.service.answers(422, { detail: [{ loc: ['body', 'min_replica_count'], msg: 'not now' }] });
    const { gives } = await rig.ask('apply', { settings: { minReplicaCount: 1, gpuCount: 1 } });
    assert.deepEqual(gives?.fields, ['minReplicaCount']);
    assert.match(String(gives.message), /422: min_replica_count: not now/);
  });

  it('a refused token is asked for anew, and the same settings go out with it', async () => {
    await rig.setToken('a-revoked-token');
    rig.prompts.answers = [rig.service.address.token, true];
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 6 } });
    assert.equal(gives?.kind, 'applied');
    assert.deepEqual(bodies(), [{ gpuCount: 6 }, { gpuCount: 6 }]);
    assert.match(rig.prompts.asked[0] ?? '', /refused the token of ci \(401\)/);
  });

  it('a refused token is said of its account, until the service takes one', async () => {
    const state = async () => rig.tokenState();
    rig.service.answers(401, { message: 'revoked' });
    rig.prompts.answers = [undefined];
    await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal((await state()).refused, 401);
    rig.service.change = (answer) => answer;
    await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal((await state()).refused, undefined);
  });

  it('a refused token that is not replaced leaves the reason in the form', async () => {
    rig.service.answers(403, { message: 'no' });
    rig.prompts.answers = [undefined];
    const { gives } = await rig.ask('apply', { settings: { gpuCount: 6 } });
    assert.equal(gives?.kind, 'failed');
    assert.match(String(gives.message), /403/);
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
    assert.match(String(gives.message), /took the change, but its answer broke off.*may have been/);
    const after = (await known())?.known;
    assert.deepEqual([after?.gpuCount, after?.cpu], [undefined, '2']);
    rig.service.reset();
    await rig.ask('undo');
    assert.deepEqual(bodies(), [{ gpuCount: 4 }], 'undo takes back what may have been applied');
  });

  it('an undo whose answer breaks off can be sent again, and is no redo', async () => {
    await rig.ask('apply', { settings: { gpuCount: 2 } });
    await rig.ask('apply', { settings: { gpuCount: 3 } });
    breakOff();
    assert.equal((await rig.ask('undo')).gives?.kind, 'failed');
    assert.equal((await known())?.known.gpuCount, undefined);
    assert.equal((await known())?.canUndo, true);
    rig.service.reset();
    await rig.ask('undo');
    assert.deepEqual(bodies(), [{ gpuCount: 2 }]);
  });

  it('several apps: what may have been applied is counted by itself', async () => {
    breakOff();
    rig.prompts.answers = [['hello', 'other'], true];
    const { gives } = await rig.ask('applyToSeveral', { settings: { gpuCount: 4 } });
    assert.match(
      String(gives?.said),
      /^Applied to 0 of 2 apps, and maybe to 2 more\. hello · .*may have been applied/,
    );
    rig.service.reset();
    await rig.ask('apply', { settings: { gpuCount: 6 } });
  });

  it('an apply of the history goes out again', async () => {
    await rig.ask('apply', { settings: { gpuCount: 7 } });
    rig.prompts.answers = [(await known())!.date, 'Apply Again'];
    const { gives } = await rig.ask('showHistory', { settings: {} });
    assert.equal((gives?.outcome as { kind: string }).kind, 'applied');
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
    assert.match(
      String(gives?.said),
      /Applied to 1 of 2 apps\. other · Form · dev: The service answered 500/,
    );
  });

  it('several apps: each is asked for where an account of production has come into use', async () => {
    rig.prompts.answers = [['hello', 'other'], true, false, false];
    const { gives } = await whereReleaseComesIntoUse(() =>
      rig.ask('applyToSeveral', { settings: { gpuCount: 1 } }),
    );
    assert.match(String(gives?.said), /^Applied to 0 of 2 apps\./);
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
    const choices = await new Promise<number>((resolve) => {
      const pick = rig.prompts.pick.bind(rig.prompts);
      rig.prompts.pick = (_, offered) => {
        rig.prompts.pick = pick;
        resolve(offered.length);
        return Promise.resolve(undefined);
      };
      void rig.ask('showHistory', { settings: {} });
    });
    assert.equal(choices, 20);
  });
});

describe('the form of an app under prod', () => {
  const rig = new FormRig();
  before(() => rig.start('prod'));
  after(() => rig.stop());

  it('asks first, and sends nothing where the user declines', async () => {
    rig.prompts.answers = [false, true];
    const declined = await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal(declined.gives?.kind, 'declined');
    assert.equal(rig.service.requests.length, 0);
    const applied = await rig.ask('apply', { settings: { gpuCount: 1 } });
    assert.equal(applied.gives?.kind, 'applied');
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

  it('says what an undo takes back', async () => {
    rig.prompts.answers = [true, true, true];
    await rig.ask('apply', { settings: { gpuCount: 3 } });
    await rig.ask('apply', { settings: { gpuCount: 5 } });
    rig.prompts.asked.length = 0;
    const undone = await rig.ask('undo');
    assert.equal(undone.gives?.kind, 'applied');
    const [asked = ''] = rig.prompts.asked;
    assert.match(asked, /^Undo the last apply to hello in prod\?\nGPUs 5 → 3\n.*\[Undo\]$/s);
  });
});
