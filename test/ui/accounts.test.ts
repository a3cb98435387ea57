import assert from 'node:assert/strict';
import { readBrowserStorage } from '../support/workbench/browserStorage.ts';
import { jwt } from '../support/service/jwt.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

/** What the row of an account says whose token the sandbox does not know. */
const rejected = 'Token rejected';

/** The row of the account of development once its token works: the first while its keys are not known yet. */
const works = /^(dev · \d+ days|1 key expires · dev)$/;

const longLived = jwt({ exp: Math.floor(Date.now() / 1000) + 500 * 24 * 3600 });

describe('service accounts and their tokens', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const service = new SandboxGate();
  const settings: Record<string, unknown> = {
    'runhook.projects': [
      {
        id: 'p-sandbox',
        name: 'Acme',
        serviceAccounts: [{ id: 'sa-ci', name: 'ci', environment: 'dev' }, { id: 'sa-release' }],
      },
      { id: 'p-2', name: 'Other' },
    ],
  };
  before(async () => {
    settings['runhook.baseUrl'] = (await service.start()).baseUrl;
    for (const token of [jwt({}), longLived]) service.tokens.add(token);
    // Its tooltips are looked at.
    settings['workbench.hover.delay'] = 300;
    settings['runhook.dashboardUrl'] = 'https://dashboard.example/keys';
  });
  after(() => service.stop());
  const ui = useWorkbench({ settings });
  const widget = () => ui.current.page.locator('.quick-input-widget:visible');
  const titled = (text: string) => widget().locator('.quick-input-title').getByText(text, { exact: true });
  const title = async (text: string) => titled(text).waitFor();
  const message = async (text: string | RegExp) =>
    widget().locator('.quick-input-message').getByText(text).waitFor();
  const inFront = async () => widget().locator('.monaco-list-row.focused').innerText();
  const tree = () => ui.current.tree('Projects');
  /** Waits until the text beside an account is like this. */
  const account = async (label: string, description: RegExp) =>
    waitFor(`${label} to be ${String(description)}`, is(label, description));
  const is = (label: string, description: RegExp) => async () =>
    (await tree().rows()).some((row) => row.label === label && description.test(row.description));
  const setToken = async (label: string, token: string) => {
    await tree().pickFromContextMenu(label, 'Set Token…', ui.current.quickInput());
    await ui.current.answer(token);
  };
  /** Where the service does not know the account, it cannot say that a token works: it replaces one at the second Enter. */
  const replaceToken = async (label: string, token: string) => {
    await setToken(label, token);
    await message(/The old one is kept\. Press Enter again/);
    await ui.current.page.keyboard.press('Enter');
  };
  const type = async (text: string) => ui.current.quickInput().fill(text);

  it('counts the steps, and has no way back from the first', async () => {
    // The palette offers it once the extension has seen that there is a project.
    await tree().row('sa-release');
    await ui.current.runCommand('Runhook: Set Token…');
    await title('Set Token: Project (1/3)');
    assert.equal(await widget().locator('[aria-label^="Back"]').count(), 0);
    await ui.current.click(ui.current.quickPick('Acme'), titled('Set Token: Service Account (2/3)'));
    await ui.current.click(ui.current.quickPick('sa-release'), titled('Set Token: sa-release (3/3)'));
  });

  it('says at once what is odd about a token, and hides it', async () => {
    assert.equal(await ui.current.quickInput().getAttribute('type'), 'password');
    await type('not-a-jwt');
    await message('This is not a JWT, so its project and its expiry are unknown.');
    await type(jwt({ exp: 1 }));
    await message('This token has expired.');
    await type(jwt({ project_id: 'p-2', exp: Math.floor(Date.now() / 1000) + 3600 }));
    await message('This token says that it belongs to the project p-2.');
    await type(jwt({}));
    await message('This token never expires. Tokens with an expiry date are safer.');
    await type(longLived);
    await message('This token is valid for more than a year. A shorter lifetime with rotation is safer.');
    await ui.current.picture('token step');
    await type('two words');
    await message('The token contains white space or characters that no token has.');
    await ui.current.page.keyboard.press('Enter');
    await title('Set Token: sa-release (3/3)');
  });

  it('leads to the API keys page while a token is asked for, and stays', async () => {
    const dialog = ui.current.page.locator('.monaco-dialog-box');
    const address = dialog.getByText('https://dashboard.example/keys');
    await ui.current.click(widget().locator('[aria-label="Open API Keys Page"]'), address);
    await ui.current.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await title('Set Token: sa-release (3/3)');
  });

  it('goes back by the button and by the keyboard, and keeps the answers', async () => {
    await type(service.address.token);
    const back = widget().locator('.quick-input-titlebar [aria-label^="Back"]');
    await ui.current.click(back, titled('Set Token: Service Account (2/3)'));
    assert.match(await inFront(), /^sa-release/);
    await ui.current.page.keyboard.press('Control+Alt+Minus');
    await title('Set Token: Project (1/3)');
    assert.match(await inFront(), /^Acme/);
    await ui.current.page.keyboard.press('Enter');
    await title('Set Token: Service Account (2/3)');
    await ui.current.click(ui.current.quickPick('ci'), titled('Set Token: ci (3/3)'));
    assert.equal(await ui.current.quickInput().inputValue(), service.address.token);
  });

  it('stores the token, and lists the keys with it', async () => {
    await ui.current.page.keyboard.press('Enter');
    await account('ci', works);
    await tree().expand('ci');
    await tree().row('deploy-bot');
  });

  it('hides a token that is pasted too early, and takes it nowhere', async () => {
    await ui.current.runCommand('Runhook: Set Token…');
    await title('Set Token: Project (1/3)');
    await type(service.address.token);
    await waitFor('the pick to be empty', async () => (await ui.current.quickInput().inputValue()) === '');
    await ui.current.page.keyboard.press('Escape');
    const first = titled('Add Service Account (1/4)');
    await tree().pickFromContextMenu('Acme', 'Add Service Account…', first);
    await type(service.address.token);
    await message('This looks like a token. Enter it only where you are asked for a token.');
    assert.equal(await ui.current.quickInput().getAttribute('type'), 'password');
    await ui.current.picture('token pasted early');
    await ui.current.page.keyboard.press('Enter');
    await title('Add Service Account (1/4)');
    await type('sa-new');
    const shown = async () => (await ui.current.quickInput().getAttribute('type')) === 'text';
    await waitFor('what is typed to be shown again', shown);
    await ui.current.page.keyboard.press('Escape');
  });

  it('says at once that the service refuses a token, and stores it where it is entered again', async () => {
    await setToken('ci', 'no-token-of-the-service');
    await message(/^The service rejected this token \(401: [^)]+\); the old one is kept\. Paste another/);
    await ui.current.picture('token rejected at once');
    await ui.current.page.keyboard.press('Enter');
    await tree().row(rejected);
    await setToken('ci', service.address.token);
    await tree().row('deploy-bot');
  });

  it('shows by icon and tooltip when a key expires', async () => {
    for (const [label, icon, words] of [
      ['deploy-bot', 'pass', 'Expires on '],
      ['laptop', 'warning', 'Expires on '],
      ['old-laptop', 'error', 'Expired on '],
      ['nightly', 'question', 'The service reports no expiry date.'],
    ] as const) {
      const row = await tree().row(label);
      await row.locator(`.custom-view-tree-node-item-icon.codicon-${icon}`).waitFor();
      await tree().showTooltip(label, words);
    }
  });

  it('points out a token without an expiry date, and one that lives for more than a year', async () => {
    await setToken('sa-release', jwt({}));
    // The service does not know the account, which it says of the request with a token.
    await account('sa-release', /^(account unknown · )?token without expiry$/);
    await replaceToken('sa-release', longLived);
    await account('sa-release', /^account unknown/);
    await tree().showTooltip('sa-release', 'That is more than a year from now.');
  });

  it('says which id the service does not know', async () => {
    await replaceToken('sa-release', service.address.token);
    await tree().expand('sa-release');
    const line = 'account unknown';
    await tree().row(line);
    assert.deepEqual(await tree().contextMenu(line), ['Refresh Service Account']);
  });

  it('asks for the keys of one account alone', async () => {
    service.requests.length = 0;
    await tree().clickAction('ci', 'Refresh Service Account', () => service.requests.length > 0);
    await tree().clickAction('sa-release', 'Refresh Service Account', () => service.requests.length > 1);
    assert.deepEqual(
      service.requests.map(({ url }) => url.split('/').at(-2)),
      ['sa-ci', 'sa-release'],
    );
  });

  it('says what helps where the service refuses the token', async () => {
    service.answers(403, { message: 'revoked' });
    const line = 'Token rejected';
    const isRefused = async () => (await tree().rows()).some(({ label }) => label === line);
    await tree().clickAction('ci', 'Refresh Service Account', isRefused);
    await tree().row('deploy-bot');
    // It is said where it belongs, and nowhere else.
    assert.doesNotMatch((await ui.current.notifications()).join('\n'), /answered/);
    await ui.current.pictures('token rejected', async (take) => {
      await (await tree().row(line)).hover();
      await take();
    });
    service.answers(200, [{ id: 'k-9', name: 'fresh' }]);
    await tree().clickRow(line, ui.current.quickInput());
    await ui.current.answer(service.address.token);
    await tree().row('fresh');
    service.reset();
  });

  it('remembers the account in use over a reload, and says that the store has lost its token', async () => {
    await tree().clickAction('sa-release', 'Use Service Account', () => tree().isInUse('sa-release'));
    const { page } = ui.current;
    await waitFor('the browser to keep it', async () =>
      /activeAccount:p-sandbox[\\":]+sa-release/.test(await readBrowserStorage(page)),
    );
    await page.reload();
    await ui.current.ready();
    // The store of this server is in the memory of its page.
    await account('sa-release', /^● token missing$/);
    await account('ci', /^token missing · dev$/);
    const token = ['Set Token…', 'Delete Token'];
    const change = ['Rename…', 'Set Environment…'];
    const offered = ['Use Service Account', ...token, ...change, 'Copy Id', 'Remove Service Account'];
    assert.deepEqual(await tree().contextMenu('ci'), offered);
    await tree().expand('ci');
    await tree().clickRow('Token missing', ui.current.quickInput());
    await ui.current.answer(service.address.token);
    await account('ci', works);
    await tree().row('deploy-bot');
  });

  it('shows what the service says of keys beside when they expire, and that its list may go on', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();
    const keys = [
      { id: 'k-1', name: 'deploy-bot', expiresAt: inDays(200) },
      { id: 'k-2', name: 'old-laptop', expiresAt: inDays(6), revoked: true },
      { id: 'k-3', name: 'nightly', expiresAt: inDays(90), disabled: true },
      { id: 'k-4', name: 'backup', expiresAt: inDays(6), status: 'pending rotation' },
    ];
    service.answers(200, { keys, nextPageToken: 'abc' });
    const labels = async () => (await tree().rows()).map(({ label }) => label);
    const isThere = async () => (await labels()).includes('The list may be incomplete');
    await tree().clickAction('ci', 'Refresh Service Account', isThere);
    const rows = await tree().rows();
    const described = (label: string) => rows.find((row) => row.label === label)?.description ?? '';
    assert.match(described('old-laptop'), /^revoked · [56] days left/);
    assert.match(described('nightly'), /^disabled · /);
    assert.match(described('backup'), /^pending rotation · /);
    await ui.current.pictures('key states');
  });
});
