import assert from 'node:assert/strict';
import { jwt } from '../support/jwt.ts';
import { SandboxGate } from '../support/sandboxGate.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

describe('setting a token in steps', function () {
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
  });
  after(() => service.stop());
  const ui = useWorkbench({ settings });
  const widget = () => ui.current.page.locator('.quick-input-widget:visible');
  const title = async (text: string) =>
    widget().locator('.quick-input-title').getByText(text, { exact: true }).waitFor();
  const message = async (text: string | RegExp) =>
    widget().locator('.quick-input-message').getByText(text).waitFor();
  const inFront = async () => widget().locator('.monaco-list-row.focused').innerText();
  const back = async () => widget().locator('.quick-input-titlebar [aria-label^="Back"]').click();
  const type = async (text: string) => ui.current.quickInput().fill(text);

  it('counts the steps, and has no way back from the first', async () => {
    await ui.current.runCommand('Runhook: Set Token…');
    await title('Set Token: Project (1/4)');
    assert.equal(await widget().locator('[aria-label^="Back"]').count(), 0);
    await ui.current.quickPick('Acme').click();
    await title('Set Token: Service Account (2/4)');
    await ui.current.quickPick('sa-release').click();
    await title('Set Token: Environment (3/4)');
    await ui.current.quickPick('prod').click();
    await title('Set Token: sa-release (4/4)');
  });

  it('says at once what is odd about a token, and hides it', async () => {
    assert.equal(await ui.current.quickInput().getAttribute('type'), 'password');
    await type('not-a-jwt');
    await message('This is not a JWT, so its project and its expiry are unknown.');
    await type(jwt({ exp: 1 }));
    await message('This token has expired.');
    await type(jwt({ project_id: 'p-2', exp: Math.floor(Date.now() / 1000) + 3600 }));
    await message('This token says that it belongs to the project p-2.');
    await ui.current.screenshot('token step');
    await type('two words');
    await message('The token holds white space or characters that no token has.');
    await ui.current.page.keyboard.press('Enter');
    await title('Set Token: sa-release (4/4)');
  });

  it('goes back by the button and by the keyboard, and keeps the answers', async () => {
    await type(service.address.token);
    await back();
    await title('Set Token: Environment (3/4)');
    assert.match(await inFront(), /^prod/);
    await ui.current.page.keyboard.press('Control+Alt+Minus');
    await title('Set Token: Service Account (2/4)');
    assert.match(await inFront(), /^sa-release/);
    await ui.current.quickPick('ci').click();
    await title('Set Token: Environment (3/4)');
    assert.match(await inFront(), /^dev/);
    await ui.current.page.keyboard.press('Enter');
    await title('Set Token: ci (4/4)');
    assert.equal(await ui.current.quickInput().inputValue(), service.address.token);
  });

  it('stores the token, and lists the keys with it', async () => {
    await ui.current.page.keyboard.press('Enter');
    const tree = ui.current.tree('Projects');
    await waitFor('the token', async () =>
      (await tree.rows()).some(
        ({ label, description }) => label === 'ci' && /^dev · active · token /.test(description),
      ),
    );
    await tree.expand('ci');
    await tree.row('deploy-bot');
  });
});
