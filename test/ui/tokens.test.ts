import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WholeDelivery } from '../../src/contract/delivery.ts';
import { readBrowserStorage } from '../support/workbench/browserStorage.ts';
import { jwt } from '../support/service/jwt.ts';
import { type GateAnswer, type GateRequest, SandboxGate } from '../support/service/sandboxGate.ts';
import { SecretSearch } from '../support/untrusted/secretSearch.ts';
import { Sender } from '../support/listener/sender.ts';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useBridgedWorkbench } from '../support/workbench/useBridgedWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

/** What the row says of why the service rejected the token, which it repeats. */
const rejected = '401: You sent Bearer';

/** For `SandboxGate.change`: adds the request's token and webhook secret to every answer. */
function echoCredentials(answer: GateAnswer, { url, headers }: GateRequest): GateAnswer {
  const { authorization: bearer = '' } = headers;
  const secret = String(headers['x-webhook-secret'] ?? '');
  const echo = { message: `You sent ${bearer} ${secret}`, key: bearer, bearer, secret };
  const isList = answer.status === 200 && url.endsWith('/keys');
  const isStream = answer.headers.includes('text/event-stream');
  const body = isList
    ? JSON.stringify([{ id: 'k-1', name: 'deploy-bot', ...echo }])
    : isStream
      ? `${answer.body}data: ${JSON.stringify(echo)}\n\n`
      : JSON.stringify({ ...(JSON.parse(answer.body) as object), ...echo });
  return { ...answer, headers: [...answer.headers, 'X-Echo', `${bearer} ${secret}`], body };
}

const projectId = 'p-sandbox';
const account = { projectId, serviceAccountId: 'sa-ci' };
const app = { projectId, appId: 'app-hello' };

describe('tokens and webhook secrets, in a whole session', function () {
  this.bail(true);
  const service = new SandboxGate();
  const exp = Math.floor(Date.now() / 1000) + 40 * 24 * 3600;
  const tokenOf = (name: string) => jwt({ name, exp }, `the signature of the ${name} token`);
  const [first, refused, rotated] = ['first', 'refused', 'rotated'].map(tokenOf);
  // Without an expiry it says nothing that a list of keys could be read by.
  const foreign = jwt({ name: 'foreign' }, 'the signature of the foreign token');
  const opaque = 'an-opaque-token/without+a"digit\\in-it';
  const secret = 'a webhook secret & its "quotes"';
  const pasted = 'another-secret/of+a-pasted-request';
  const ofProject = 'the/secret+of the-project Acme';
  const ofApp = 'a "secret" of the app\\hello';
  const replaced = 'what the app had before its rotation';
  const asked = 'asked for once & never stored';
  /** By the names that a report may show; one that Runhook makes by itself comes to be known on the way. */
  const secrets: Record<string, string> = {
    ...{ first: first!, refused: refused!, rotated: rotated!, foreign, opaque, secret, pasted },
    ...{ ofProject, ofApp, replaced, asked },
  };
  const settings: Record<string, unknown> = {
    'runhook.projects': [
      {
        id: projectId,
        name: 'Acme',
        serviceAccounts: [{ id: 'sa-ci', name: 'ci' }],
        apps: [
          { id: 'app-hello', name: 'hello' },
          { id: 'app-stream', name: 'stream' },
        ],
      },
    ],
  };
  before(async () => {
    const { baseUrl, proxyUrl } = await service.start();
    settings['runhook.baseUrl'] = baseUrl;
    settings['runhook.proxyUrl'] = proxyUrl;
    for (const token of [first!, rotated!, opaque]) service.tokens.add(token);
    service.change = echoCredentials;
  });
  after(async () => service.stop());
  const ui = useBridgedWorkbench({ settings, logLevel: 'trace' });
  const search = new SecretSearch();
  const tree = () => ui.current.workbench.tree('Projects');
  const command = async (name: string, argument?: object): Promise<unknown> => {
    const given = await ui.current.bridge.command(name, argument);
    search.add(`what ${name} returned`, JSON.stringify(given ?? null));
    return given;
  };
  const sent = (token: string) =>
    service.requests.some(({ headers }) => headers.authorization === `Bearer ${token}`);
  const folders = () => {
    const workspace = new URL(ui.current.workbench.page.url()).searchParams.get('folder') ?? '';
    return { data: ui.current.session.server.dataFolder, workspace };
  };

  /** Adds all that can be seen or found now. */
  async function lookEverywhere(): Promise<void> {
    const { page } = ui.current.workbench;
    // A webview may come or go just now.
    const frames = await waitFor('the page', () =>
      Promise.all(page.frames().map((frame) => frame.content())),
    );
    for (const content of frames) search.add('the page', content);
    // It is read by the page that has the focus, which may be a webview's.
    const read = '(window.focus(), navigator.clipboard.readText())';
    const copied = await waitFor('the clipboard', async () => [await page.evaluate<string>(read)]);
    search.add('the clipboard', copied.join());
    search.add('the browser', await readBrowserStorage(page));
    for (const { uri, text } of await ui.current.bridge.call('openDocuments', {})) search.add(uri, text);
    for (const folder of Object.values(folders())) await search.addFolder(folder);
  }

  it('tokens: refused, set, rotated, replaced, and a list that nobody can read', async () => {
    const { workbench } = ui.current;
    const listed = () => tree().row('deploy-bot');
    await tree().expand('ci');
    await tree().clickRow('No token yet', workbench.quickInput());
    await workbench.answer(refused!);
    // Entered again it is stored all the same.
    await workbench.page.getByText('The service rejected this token').waitFor();
    await workbench.page.keyboard.press('Enter');
    const why = async () =>
      (await tree().rows()).find(({ description }) => description.includes(rejected))?.label;
    await tree().clickRow(await waitFor('why it was rejected', why), workbench.quickInput());
    await lookEverywhere();
    await workbench.answer(first!);
    await listed();
    await workbench.runCommand('Runhook: Set Token…');
    await workbench.answer(rotated!);
    await waitFor('a list with the new token', () => sent(rotated!));
    await listed();
    await command('setToken', { ...account, token: opaque });
    await command('refreshServiceAccount', account);
    await waitFor('a list with the opaque token', () => sent(opaque));
    await listed();
    await command('listKeys', account);
    // What the service sends of other people's tokens counts as well.
    service.answers(200, [{ odd: foreign }, { odd: opaque }]);
    const odd = 'Unreadable';
    const isListed = async () => (await tree().rows()).some(({ label }) => label === odd);
    await tree().clickTitleAction('Refresh Projects', isListed);
    await tree().clickRow(odd, async () => (await workbench.editorText()).includes('odd'));
    await lookEverywhere();
    service.change = echoCredentials;
  });

  it('a run in prod: asked about on the screen, unless its caller has confirmed it', async () => {
    const question = ui.current.workbench.page.locator('.monaco-dialog-box');
    const live = { projectId, serviceAccountId: 'sa-live' };
    const call = { projectId, appName: 'hello', body: {}, webhook: false };
    const runs = () => service.requests.filter(({ method }) => method === 'POST').length;
    await command('addServiceAccount', { projectId, id: 'sa-live', environment: 'prod', token: rotated });
    await command('useServiceAccount', live);
    // Were it asked about, it would wait for the answer.
    assert.equal(((await command('runApp', { ...call, confirmed: true })) as { status: number }).status, 200);
    assert.deepEqual([runs(), await question.count()], [1, 0]);
    const declined = assert.rejects(command('runApp', call), /not confirmed/);
    await question.getByText('Run hello in prod?').waitFor();
    await ui.current.workbench.answerDialog('Cancel');
    await declined;
    assert.equal(runs(), 1);
    await command('useServiceAccount', account);
  });

  it('runs: with a webhook, streaming, refused', async () => {
    const { workbench } = ui.current;
    await command('setWebhookSecret', { secret });
    for (const name of ['rotateWebhookSecret', 'startListener']) await command(name, {});
    await workbench.runCommand('Runhook: Show Deliveries Output');
    await tree().run('hello');
    await workbench.editorLine(/^200 OK · .* · ✓ verified/);
    secrets['the secret that was made'] = String(
      service.requests.find(({ headers }) => headers['x-webhook-secret'])?.headers['x-webhook-secret'],
    );
    assert.notEqual(secrets['the secret that was made'], secret);
    await lookEverywhere();
    await command('runPayloadWithWebhook', { projectId, appName: 'stream' });
    await command('runApp', { projectId, appName: 'hello', body: { name: 'hello' }, webhook: true });
    const hello = { projectId, appName: 'hello' };
    await command('setWebhookSecret', { projectId, secret: ofProject });
    for (const one of [replaced, ofApp]) await command('setWebhookSecret', { ...hello, secret: one });
    for (const signing of [{}, { secret: asked }, { secret: false }]) {
      await command('runApp', { ...hello, body: {}, webhook: true, ...signing });
    }
    await command('runApp', { projectId, appName: 'stream', body: {}, webhook: true });
    const used = service.requests.map(({ headers }) => headers['x-webhook-secret']);
    for (const one of [ofProject, ofApp, asked, undefined]) assert.ok(used.includes(one), one);
    await waitFor('the deliveries', async () => {
      const reasons = ((await command('listDeliveries')) as WholeDelivery[]).map(
        ({ reason }) => reason ?? '',
      );
      return ['secret of the project Acme', 'secret of hello', 'one-time secret for hello'].every((words) =>
        reasons.includes(`signed with the ${words}`),
      );
    });
    await workbench.runCommand('Runhook: Show Deliveries Output');
    await workbench.outputLine(/signed with the secret/);
    await lookEverywhere();
    service.tokens.delete(opaque);
    await command('openPayload', hello);
    await command('runPayload', hello);
    await workbench.editorLine(/^401 Unauthorized from the service · /);
    await lookEverywhere();
  });

  it('settings: refused, applied, compared, copied, exported', async () => {
    const { workbench } = ui.current;
    const form = new SettingsForm(workbench);
    await command('editAppSettings', app);
    await form.enter('gpuCount', '2');
    await form.clickApply();
    await workbench.page.getByText('The service rejected the token of ci (401). Set a new one?').waitFor();
    await lookEverywhere();
    await workbench.answer(rotated!);
    await waitFor('the apply', async () => (await form.status()) === 'Applied 1 setting.');
    await form.enter('gpuCount', '3');
    await form.locator('[data-action="copyAsCurl"]').click();
    await waitFor('the command', async () => (await form.status()).startsWith('Copied.'));
    await lookEverywhere();
    await workbench.click(form.locator('[data-action="exportToFile"]'), workbench.quickInput());
    await workbench.page.keyboard.press('Enter');
    await workbench.editorLine(/"gpuCount": 3/);
    await command('editAppSettings', app);
    const applied = workbench.page.locator('.quick-input-list .monaco-list-row').first();
    await workbench.click(form.locator('[data-action="showHistory"]'), applied);
    await workbench.click(applied, workbench.quickPick('Show Changes'));
    await workbench.click(workbench.quickPick('Show Changes'), workbench.page.locator('.monaco-diff-editor'));
    await lookEverywhere();
  });

  it('deliveries: refused, explained, copied, kept as a fixture, sent again', async () => {
    const { port } = (await command('startListener', {})) as { port: number };
    const sender = new Sender(port, `${secrets['the secret that was made']!}\n`);
    assert.equal(await sender.deliver('mismatch', '{"run_id":"run-mismatch"}'), 401);
    sender.close();
    for (const one of [replaced, `"${ofApp}"`, `${ofProject}\n`, asked]) {
      const other = new Sender(port, one);
      await other.deliver(`to explain ${Math.random()}`, '{}');
      other.close();
    }
    const all = (await command('listDeliveries')) as WholeDelivery[];
    assert.ok(all.length >= 3);
    for (const { id } of all) {
      for (const name of ['openDelivery', 'explainDelivery', 'copyDeliveryAsCurl', 'saveDeliveryAsFixture']) {
        await command(name, { id });
      }
      await lookEverywhere();
    }
    const verified = all.find(({ verdict }) => verdict === 'verified')!;
    await command('replayDelivery', { id: verified.id, resign: true });
    await command('sendTestDelivery', { body: { test: true } });
    const { headers, body } = all[0]!;
    await command('verifySignature', { headers, body, secret: pasted });
    for (const [name, input] of Object.entries({
      runhook_listProjects: {},
      runhook_listKeys: account,
      runhook_listDeliveries: {},
      runhook_explainDelivery: { id: all[0]!.id },
    })) {
      search.add(name, await ui.current.bridge.call('invokeTool', { name, input }));
    }
    await ui.current.workbench.runCommand('Runhook: Show Log');
    await ui.current.workbench.outputLine(/GET .*\/keys 200/);
    await lookEverywhere();
  });

  it('the search has seen all of that', () => {
    const { data, workspace } = folders();
    const seen: [place: RegExp, text: string][] = [
      [/User\/settings\.json$/, '"Acme"'],
      [/runhook\.runhook\/Runhook\.log$/, '[debug] GET '],
      [/\.payload\.json$/, '{}'],
      [/^the browser$/, 'deploy-bot'],
      [/^the page$/, rejected],
      [/^the clipboard$/, '$RUNHOOK_TOKEN'],
      [/^runhook-keys:|^runhook-.*keys/i, 'odd'],
      [/^output:/, '✓ verified'],
      [/fixtures\/.*\.json$/, 'run-mismatch'],
      [/app-hello\.runhook\.json$/, '"gpuCount": 3'],
      [/^what explainDelivery returned$/, 'newline'],
      [/^what explainDelivery returned$/, 'secret of the project Acme'],
      [/^what verifySignature returned$/, 'expected'],
      [/^runhook_listKeys$/, 'deploy-bot'],
    ];
    for (const [place, text] of seen) assert.ok(search.has(place, text), `${String(place)}: ${text}`);
    assert.ok(search.has(new RegExp(`^${data}`), '') && search.has(new RegExp(`^${workspace}`), ''));
  });

  it('no token and no secret stands anywhere: the store of this server is in the memory of its page', () => {
    assert.deepEqual(search.hits(secrets), []);
  });

  it('none is left by a reset either', async () => {
    await command('reset', { confirmed: true });
    const after = new SecretSearch();
    for (const folder of Object.values(folders())) await after.addFolder(folder);
    assert.deepEqual(after.hits(secrets), []);
  });

  it('one that is planted is found, in the own folders of the extension too', async () => {
    const { data, workspace } = folders();
    const planted = {
      [join(data, 'User/globalStorage/runhook.runhook/planted.json')]: JSON.stringify({ opaque }),
      [join(data, 'User/workspaceStorage/planted/runhook.runhook/planted')]: Buffer.from(
        `Bearer ${rotated!}`,
      ).toString('base64'),
      [join(data, 'logs/planted.log')]: `?secret=${encodeURIComponent(secret)}`,
      [join(workspace, '.runhook/fixtures/planted.json')]: first!.split('.')[2]!,
    };
    for (const [path, text] of Object.entries(planted)) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    const again = new SecretSearch();
    for (const folder of Object.values(folders())) await again.addFolder(folder);
    const found = new Set(again.hits(secrets).map(({ place }) => place));
    assert.deepEqual([...found].sort(), Object.keys(planted).sort());
    for (const path of Object.keys(planted)) await rm(path);
  });
});
