import assert from 'node:assert/strict';
import { type Bridge, BridgedSession } from '../support/workbench/bridgedSession.ts';
import { openWorkbench } from '../support/workbench/openWorkbench.ts';
import { browser } from '../support/workbench/session.ts';
import type { Workbench } from '../support/workbench/workbench.ts';
import { Receiver } from '../support/http/receiver.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

const size = { width: 2000, height: 900 };

/** Starts the listener and sends it a delivery; gives the delivery's line. */
async function deliverOne(workbench: Workbench): Promise<string> {
  await workbench.runCommand('Runhook: Show Deliveries Output');
  await workbench.runCommand('Runhook: Start Webhook Listener');
  await workbench.outputLine(/listens on/);
  await workbench.runCommand('Runhook: Send Test Delivery');
  return workbench.outputLine(/✓ verified/);
}

describe('an address of a workspace to hand deliveries on to', () => {
  let app: Receiver;
  const settings: Record<string, unknown> = {};
  const files: Record<string, string> = {};
  /** A service that is elsewhere too, by the same name, and that has an app. */
  const ofUser: Record<string, unknown> = { 'security.workspace.trust.enabled': false };

  before(async () => {
    app = await Receiver.start();
    // Reaches the app, and yet is no address of this machine by its name.
    const elsewhere = `http://0.0.0.0:${new URL(app.url).port}/`;
    settings['runhook.listener.forwardTo'] = elsewhere;
    for (const id of ['baseUrl', 'proxyUrl']) ofUser[`runhook.${id}`] = elsewhere;
    ofUser['runhook.projects'] = [{ id: 'p-far', serviceAccounts: [{ id: 'ci' }], apps: [{ id: 'far' }] }];
    files['.vscode/settings.json'] = JSON.stringify(settings);
    files['one.delivery.json'] = JSON.stringify({ path: '/', body: 'of a stranger' });
    files['one/.vscode/settings.json'] = JSON.stringify(settings);
  });
  after(() => app.close());

  it('is ignored while the workspace is not trusted, which does not get the webhook secret, and has no fixture signed or sent', async () => {
    // The server of the other tests asks nobody whether a workspace is trusted.
    const session = await BridgedSession.start(await browser(), [], true);
    try {
      const untrusted = { 'security.workspace.trust.startupPrompt': 'never' };
      const workbench = await openWorkbench(session, { files, size, settings: untrusted });
      assert.doesNotMatch(await deliverOne(workbench), /0\.0\.0\.0/);
      assert.deepEqual(app.received, []);
      assert.doesNotMatch((await workbench.notifications()).join('\n'), /0\.0\.0\.0/);
      await workbench.statusBarItem('Restricted Mode').waitFor();
      await workbench.outputLine(/not forwarded: the workspace is not trusted/);
      await workbench.tree('Deliveries').open();
      await workbench.page.getByText('off: the workspace is not trusted', { exact: true }).waitFor();
      // Nor does tasks.json or launch.json there get the secret.
      const bridge = await session.bridge();
      await assert.rejects(bridge.command('webhookSecret'), /this workspace is not trusted/);
      await assert.rejects(bridge.command('writeWebhookSecret', { file: '.env' }), /is not trusted/);
      // Nor is git asked there.
      await assert.rejects(
        bridge.command('findTokens', {}),
        /Git lists the files to search, but .* not trusted/,
      );
      await hasNoFixtureSent(workbench, bridge);
      await workbench.close();
    } finally {
      await session.dispose();
    }
  });

  /** Holds that the workspace, which is not trusted, has no fixture signed or sent: by a command or the Test view. */
  async function hasNoFixtureSent(workbench: Workbench, bridge: Bridge): Promise<void> {
    const refused = /Fixtures are not signed or sent, because this workspace is not trusted/;
    const fixture = { uri: 'one.delivery.json', to: app.url };
    await assert.rejects(bridge.command('sendFixture', fixture), refused);
    await assert.rejects(bridge.command('sendFixture', { ...fixture, resign: false }), refused);
    // The editor asks by itself before it runs a test.
    await workbench.runCommand('Test: Run All Tests');
    const trust = workbench.page.locator('.monaco-dialog-box', { hasText: /trust/i });
    await trust.waitFor();
    await workbench.page.keyboard.press('Escape');
    await trust.waitFor({ state: 'hidden' });
    assert.deepEqual(app.received, []);
  }

  describe('that is trusted, on another machine', () => {
    const ui = useWorkbench({ files, size, settings: ofUser });
    const question = () =>
      ui.current.page.locator('.notification-list-item', {
        hasText: 'This workspace wants deliveries forwarded',
      });

    it('is asked for, and nothing is forwarded before', async () => {
      const line = await deliverOne(ui.current);
      assert.match(line, /→ 0\.0\.0\.0:\d+ is not allowed yet: kept, Replay$/);
      await question().waitFor();
      assert.deepEqual(app.received, []);
      await ui.current.pictures('address of a workspace');
    });

    it('is forwarded to once that is allowed, and asked for no more', async () => {
      await ui.current.click(
        question().getByRole('button', { name: 'Forward', exact: true }),
        async () => !(await question().isVisible()),
      );
      await ui.current.outputLine(/Deliveries are forwarded to 0\.0\.0\.0:\d+, which is not on this machine/);
      await ui.current.runCommand('Runhook: Send Test Delivery');
      await ui.current.outputLine(/→ 0\.0\.0\.0:\d+ 200 in/);
      assert.equal(app.received.length, 1);
      assert.equal(await question().count(), 0);
    });

    it('cannot reach the listener: the message has the ways out, and the run goes on by one of them', async () => {
      app.received.splice(0);
      const withWebhook = ui.current.quickPick('Run with Webhook');
      await ui.current.tree('Projects').pickFromContextMenu('far', 'Run App…', withWebhook);
      await ui.current.click(withWebhook, async () => !(await withWebhook.isVisible()));
      await ui.current.answer('a-token');
      const message = ui.current.page.locator('.notification-list-item', {
        hasText: 'The service cannot reach',
      });
      const verbs = message.getByRole('button', {
        name: /^(Deliver Here|Open Tunnel|More…)$/,
      });
      await verbs.last().waitFor();
      assert.deepEqual(await verbs.allInnerTexts(), ['Deliver Here', 'Open Tunnel', 'More…']);
      await ui.current.pictures('message with verbs');
      const without = ui.current.quickPick('Run without Webhook');
      await ui.current.click(verbs.last(), without);
      await ui.current.click(without, async () => !(await message.isVisible()));
      await ui.current.editorLine(/^200 OK · /);
      assert.deepEqual(
        app.received.filter(({ method }) => method === 'POST').map(({ path }) => path),
        ['/v4/p-far/far/run'],
      );
      await message.waitFor({ state: 'hidden' });
    });
  });

  describe('of several folders', () => {
    const several = { folders: ['one'], settings };
    const ui = useWorkbench({
      files,
      multiRoot: several,
      size,
      settings: { 'security.workspace.trust.enabled': false },
    });

    it('is asked for where its file names it, and a no is kept to', async () => {
      assert.match(await deliverOne(ui.current), /is not allowed yet/);
      const before = app.received.length;
      const no = ui.current.page.getByRole('button', { name: "Don't Forward" });
      await ui.current.click(no, async () => !(await no.isVisible()));
      await ui.current.outputLine(/not forwarded to 0\.0\.0\.0:\d+: you did not allow it/);
      await ui.current.runCommand('Runhook: Send Test Delivery');
      await ui.current.outputLine(/→ you did not allow 0\.0\.0\.0:\d+: kept$/);
      assert.equal(app.received.length, before);
    });
  });
});

describe('two folders, with an app and a port each', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let one: Receiver;
  let two: Receiver;
  const files: Record<string, string> = {};
  before(async () => {
    [one, two] = [await Receiver.start(), await Receiver.start()];
    files['one/.vscode/settings.json'] = JSON.stringify({ 'runhook.listener.routes': { echo: one.url } });
    files['two/.vscode/settings.json'] = JSON.stringify({
      'runhook.listener.forwardTo': `${two.url}/hook`,
      'runhook.listener.routes': { fail: `${two.url}/hook` },
      'runhook.projects': [{ id: 'p-two', apps: [{ id: 'a-1', name: 'other' }] }],
    });
  });
  after(() => Promise.all([one.close(), two.close()]));
  const ui = useWorkbench({
    ...{ files, size },
    multiRoot: { folders: ['one', 'two'], settings: {} },
    settings: { 'security.workspace.trust.enabled': false },
  });
  const hostOf = ({ url }: Receiver) => new URL(url).host;
  const header = () =>
    ui.current.page.locator('.pane-header', { hasText: 'Deliveries' }).locator('.description');

  it('say in the header where their deliveries go, and have their projects', async () => {
    await ui.current.tree('Projects').row('p-two');
    await ui.current.tree('Deliveries').open();
    const [first, second] = [hostOf(one), hostOf(two)];
    const all = `echo → ${first} · fail → ${second} · other → ${second} · others → ${second}`;
    await header().getByText(all).waitFor();
  });

  it('get those of their own app', async () => {
    await ui.current.runCommand('Runhook: Start Sandbox');
    // The last of what draws the whole tree anew when the sandbox starts: a click meanwhile would be lost.
    await waitFor('the keys of all accounts to be known', async () => {
      const said = (await ui.current.tree('Projects').rows()).map(({ description }) => description);
      return said.includes('rejected · prod') && said.some((text) => text.startsWith('1 key expires'));
    });
    for (const [app, receiver, path] of [
      ['echo', one, '/'],
      ['fail', two, '/hook'],
    ] as const) {
      await ui.current.tree('Projects').run(app);
      await receiver.count(1);
      assert.equal(receiver.received[0]?.path, path);
    }
    assert.deepEqual([one.received.length, two.received.length], [1, 1]);
  });

  it('have another address typed where it is set', async () => {
    await ui.current.tree('Deliveries').clickTitleAction('Forward to', ui.current.quickPick('echo'));
    // Until then the field is that of the question before.
    const next = ui.current.page.locator('.quick-input-widget:visible').getByText('Forward echo To');
    await ui.current.click(ui.current.quickPick('echo'), next);
    const box = ui.current.quickInput();
    await box.fill('localhost:99999');
    await ui.current.page
      .locator('.quick-input-widget')
      .getByText(/99999 is not a port/)
      .waitFor();
    await box.fill(hostOf(two));
    await ui.current.picture('forward to');
    await box.press('Enter');
    await header()
      .getByText(`echo → ${hostOf(two)}`)
      .waitFor();
  });
});
