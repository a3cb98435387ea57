import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type AppSettings, type Field, fields } from '../../src/service/settings/appSettings.ts';
import { settingsSummary } from '../../src/service/settings/settingsText.ts';
import { axeViolations } from '../support/workbench/pageFrame.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import type { ScreenElement } from '../support/workbench/screenElement.ts';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { themeNames } from '../support/workbench/workbench.ts';
import { itTellsOutcomeOfHidden } from './tellsOutcomeOfHidden.ts';

/** Valid and invalid texts for a field: the limits, values beyond them, and text that is not a number. */
function fieldSamples(field: Field): { good: string[]; bad: [text: string, message: RegExp][] } {
  if (field.kind === 'choice') return { good: ['CPU', 'TURING_T4'], bad: [] };
  const { minimum, maximum } = field;
  const notANumber: [string, RegExp] = ['many', /digits only/];
  const below: [string, RegExp] = [(minimum - 1).toString(), new RegExp(`^Enter ${minimum} or more\\.$`)];
  if (maximum === undefined) {
    return {
      good: [minimum.toString(), Number.MAX_SAFE_INTEGER.toString()],
      bad: [below, ['9007199254740992', /cannot be sent exactly/], notANumber],
    };
  }
  const above: [string, RegExp] = [(maximum + 1).toString(), new RegExp(`^Enter ${maximum} or less\\.$`)];
  return { good: [minimum.toString(), maximum.toString()], bad: [below, above, notANumber] };
}

const files = {
  'notes.txt': '',
  'hello.runhook.json': '{"app": "hello", "settings": {"gpuCount": 3, "cpu": "64"}}\n',
};

describe('the settings form', () => {
  const settings: Record<string, unknown> = {};
  const service = new SandboxGate();
  let form: SettingsForm;

  before(async () => {
    const { baseUrl, projectId, serviceAccountId, apps } = await service.start();
    settings['runhook.baseUrl'] = baseUrl;
    settings['runhook.projects'] = [
      {
        id: projectId,
        name: 'Acme',
        serviceAccounts: [
          { id: serviceAccountId, name: 'ci', environment: 'dev' },
          { id: 'sa-other', name: 'other', environment: 'dev' },
        ],
        apps: [{ id: apps[0]!.id, name: 'hello' }],
      },
    ];
  });
  after(() => service.stop());
  const ui = useWorkbench({ settings, files });
  const patches = () => service.requests.filter(({ method }) => method === 'PATCH');

  before('opens the form', async () => {
    form = new SettingsForm(ui.current);
    const field = form.locator('[data-field="gpuCount"]');
    await ui.current.tree('Projects').clickAction('hello', 'Edit App Settings', field);
  });

  it('has the focus on its first field, and nothing to undo or to load again as long as nothing was applied, and says so', async () => {
    await form.locator('[data-field="compute"][focused]').waitFor();
    assert.equal(await form.canUndo(), false);
    const undo = form.locator('[data-action="undo"]').getByRole('button');
    assert.equal(await undo.getAttribute('aria-label'), 'Undo Last Apply: Nothing has been applied yet.');
    const history = ui.current
      .webview()
      .getByRole('button', { name: 'History: Nothing has been applied yet.' });
    await history.click();
    assert.equal(await form.status(), '');
  });

  it('has nothing to copy, to export or to apply elsewhere as long as nothing has changed, and says so', async () => {
    for (const name of ['Copy as cURL', 'Export to File…', 'Apply to Several Apps…']) {
      const button = ui.current.webview().getByRole('button', { name: `${name}: Change a setting first.` });
      await button.click();
    }
    assert.equal(await form.status(), '');
  });

  it('asks for the token that is missing, and goes on', async () => {
    await form.enter('gpuCount', '2');
    await form.clickApply();
    await ui.current.answer(service.address.token);
    await waitFor('the apply', async () => (await form.status()) === 'Applied 1 setting.');
    assert.deepEqual(JSON.parse(patches()[0]!.body), { gpuCount: 2 });
    assert.match(
      await form.locator('[data-last-applied]').innerText(),
      /Last applied from this machine on .*20\d\d/,
    );
  });

  for (const field of fields) {
    it(`${field.name}: below, at and above both ends, not a number, empty`, async () => {
      const { good, bad } = fieldSamples(field);
      for (const [text, message] of bad) {
        await form.enter(field.name, text);
        assert.match(await form.message(field.name), message);
        assert.equal(await form.inner(field.name).getAttribute('aria-invalid'), 'true');
        assert.equal(await form.canApply(), false);
        assert.deepEqual(await form.preview(), {});
      }
      await form.enter(field.name, field.kind === 'choice' ? 'unchanged' : '');
      assert.match(await form.message(field.name), /^(It cannot be unset and stays as last applied: .+)?$/);
      assert.equal(await form.canApply(), false);
      for (const text of good) {
        await form.enter(field.name, text);
        const preview = await form.preview();
        assert.deepEqual(preview, { [field.name]: field.kind === 'integer' ? Number(text) : text });
        const before = patches().length;
        await form.clickApply();
        await waitFor('the PATCH', () => patches().length > before);
        assert.deepEqual(JSON.parse(patches().at(-1)!.body), preview);
        await waitFor('the apply', async () => (await form.status()) === 'Applied 1 setting.');
      }
    });
  }

  it('names the field that keeps Apply from being pressed, and goes there', async () => {
    await form.enter('memory', '193');
    await form.inner('gpuCount').focus();
    const link = form.locator('[data-go-to="memory"]');
    assert.equal((await link.innerText()).trim(), 'Memory: Enter 192 or less.');
    const reason = 'Correct the marked fields first.';
    await ui.current
      .webview()
      .getByRole('button', { name: `Copy as cURL: ${reason}` })
      .waitFor();
    await link.click();
    await form.locator('[data-field="memory"][focused]').waitFor();
    // Of several the fields alone.
    await form.enter('cpu', 'x');
    const problems = form.locator('.problems');
    assert.equal((await problems.innerText()).replace(/\s+/g, ' ').trim(), '2 to correct: CPU Memory');
    await form.locator('[data-go-to="cpu"]').click();
    await form.locator('[data-field="cpu"][focused]').waitFor();
    await form.enter('cpu', '');
    await form.enter('memory', '');
    assert.equal(await link.count(), 0);
  });

  it('sends what several fields say, field by field and type by type', async () => {
    await form.enter('gpuCount', '1');
    await form.enter('cpu', '0.5');
    await form.enter('minReplicaCount', '1');
    assert.equal(await form.locator('[data-change-count]').innerText(), '3 settings');
    const preview = await form.preview();
    await form.inner('cpu').press('Control+Enter');
    await waitFor('the apply', async () => (await form.status()) === 'Applied 3 settings.');
    const { headers, body } = patches().at(-1)!;
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(body), preview);
    assert.deepEqual(preview, { gpuCount: 1, cpu: '0.5', minReplicaCount: 1 });
  });

  it('sends a field that was typed back to what was last applied, and says so', async () => {
    await form.enter('gpuCount', '2');
    await form.enter('gpuCount', '1');
    assert.equal(await form.message('gpuCount'), 'Same as last applied. It will be sent again.');
    assert.deepEqual(await form.preview(), { gpuCount: 1 });
    await form.locator('[data-reset="gpuCount"]').click();
    assert.equal(await form.message('gpuCount'), '');
    assert.deepEqual(await form.preview(), {});
  });

  it('sends a field again by the keyboard alone, which shows the button for it as the mouse does', async () => {
    const before = patches().length;
    const again = form.locator('[data-send-again="cpu"]');
    const button = `document.querySelector('[data-send-again="cpu"]')`;
    const opacity = () => again.evaluate(`getComputedStyle(${button}).opacity`);
    await form.inner('memory').focus();
    await ui.current.page.mouse.move(0, 0);
    await waitFor('no button', async () => (await opacity()) === '0');
    await form.inner('cpu').focus();
    assert.equal(await opacity(), '1');
    await form
      .locator('[data-send-again="cpu"]')
      .getByRole('button', { name: 'Send CPU Again' })
      .press('Enter');
    assert.ok(await form.locator('[data-field="cpu"][focused]').isVisible());
    assert.equal(await form.locator('[data-send-again="cpu"]').isVisible(), false);
    assert.equal(await form.locator('[data-change-count]').innerText(), '1 setting (1 same as last applied)');
    await form.inner('cpu').press('Control+Enter');
    await waitFor('the apply', async () => (await form.status()) === 'Applied 1 setting.');
    assert.deepEqual(
      patches()
        .slice(before)
        .map(({ body }) => body),
      ['{"cpu":"0.5"}'],
    );
    assert.equal(await form.canApply(), false);
    const undo = form.locator('[data-action="undo"]');
    assert.equal(await undo.getAttribute('title'), 'The last apply changed nothing.');
  });

  it('sends nothing of a field whose typing was undone', async () => {
    await form.inner('gpuCount').press('End');
    await form.inner('gpuCount').pressSequentially('5');
    assert.match(await form.message('gpuCount'), /8 or less/);
    await form.inner('gpuCount').press('Control+z');
    await waitFor('the undo', async () => (await form.inner('gpuCount').inputValue()) === '1');
    assert.equal(await form.message('gpuCount'), '');
    assert.deepEqual(await form.preview(), {});
  });

  it('Escape restores a field, Ctrl+Enter leads to the first invalid one', async () => {
    await form.enter('gpuCount', '7');
    await form.inner('gpuCount').press('Escape');
    assert.equal(await form.inner('gpuCount').inputValue(), '1');
    await form.enter('memory', '16');
    await form.enter('gpuCount', '99');
    await form.inner('memory').press('Control+Enter');
    assert.ok(await form.locator('[data-field="gpuCount"][focused]').isVisible());
    await form.inner('gpuCount').press('Escape');
  });

  it('closes the list of a choice where Tab leaves it, and leaves it closed at Ctrl+Enter', async () => {
    const choice = form.locator('[data-field="compute"]');
    const isListOpen = () => choice.evaluate((element) => (element as unknown as { open: boolean }).open);
    await form.inner('compute').press('ArrowDown');
    assert.ok(await isListOpen());
    await form.inner('compute').press('Tab');
    assert.ok(!(await isListOpen()));
    await form.inner('compute').press('Control+Enter');
    assert.ok(!(await isListOpen()));
  });

  it('warns of what the service does not forbid, and lets it through', async () => {
    await form.enter('minReplicaCount', '5');
    await form.enter('maxReplicaCount', '2');
    for (const name of ['minReplicaCount', 'maxReplicaCount'] as const) {
      assert.match(await form.message(name), /above the maximum/);
    }
    assert.equal(await form.inner('minReplicaCount').getAttribute('aria-invalid'), 'false');
    assert.equal(await form.canApply(), true);
  });

  it('keeps what was typed while the tab is hidden, and over a reload of the window', async () => {
    await form.enter('cooldownPeriodSeconds', '77');
    await form.hide();
    await form.show();
    await waitFor(
      'what was typed',
      async () => (await form.inner('cooldownPeriodSeconds').inputValue()) === '77',
    );
    const loaded = ui.current.page.waitForEvent('load');
    await ui.current.runCommand('Developer: Reload Window');
    await loaded;
    await ui.current.ready();
    await waitFor(
      'what was typed, after the reload',
      async () => (await form.inner('cooldownPeriodSeconds').inputValue()) === '77',
    );
    assert.equal(((await form.preview()) as { cooldownPeriodSeconds: number }).cooldownPeriodSeconds, 77);
  });

  it('is left and shown again where the person was on it, also after a reload of the window', async () => {
    const { page } = ui.current;
    await page.setViewportSize({ width: 760, height: 420 });
    const body = form.locator('body');
    const top = () => body.evaluate<number, ScreenElement>('scrollY');
    await form.inner('replicaConcurrency').focus();
    await body.evaluate('scrollTo(0, 200)');
    await waitFor('the page scrolled', async () => (await top()) === 200);
    const isWhereItWas = () =>
      waitFor('the place of before', async () => {
        const focused = form.locator('[data-field="replicaConcurrency"][focused]');
        return (await focused.isVisible()) && (await top()) === 200;
      });
    await form.hide();
    await form.show();
    await isWhereItWas();
    const loaded = page.waitForEvent('load');
    await ui.current.runCommand('Developer: Reload Window');
    await loaded;
    await ui.current.ready();
    await isWhereItWas();
    await form.locator('[data-action="apply"]').focus();
    await form.hide();
    await form.show();
    await form.locator('[data-action="apply"][focused]').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('keeps what was typed though the tab is closed', async () => {
    await form.enter('gpuCount', '99');
    const close = form.tab.locator('.tab-actions .action-label');
    await ui.current.click(close, async () => (await form.tab.count()) === 0);
    await ui.current.tree('Projects').clickAction('hello', 'Edit App Settings', form.locator('main'));
    await waitFor('what was typed', async () => (await form.inner('gpuCount').inputValue()) === '99');
    assert.equal(await form.inner('cooldownPeriodSeconds').inputValue(), '77');
    assert.match(await form.message('gpuCount'), /8 or less/);
  });

  it('is the one form of its app, with what was typed, where a reload has left its tab behind another', async () => {
    await form.hide();
    const loaded = ui.current.page.waitForEvent('load');
    await ui.current.runCommand('Developer: Reload Window');
    await loaded;
    await ui.current.ready();
    await ui.current.tree('Projects').clickAction('hello', 'Edit App Settings', form.locator('main'));
    await waitFor('what was typed', async () => (await form.inner('gpuCount').inputValue()) === '99');
    await waitFor('one tab', async () => (await form.tab.count()) === 1);
  });

  it('shows what a settings file changed meanwhile, and keeps what was typed', async () => {
    const { page } = ui.current;
    await form.enter('gpuCount', '5');
    await ui.current.openFile('hello.runhook.json');
    const lens = page.locator('.codelens-decoration a', { hasText: 'Apply' });
    await ui.current.click(lens, ui.current.quickInput());
    await ui.current.answer(service.address.token);
    await waitFor('the PATCH of the file', () => patches().at(-1)?.body === '{"gpuCount":3,"cpu":"64"}');
    await form.show();
    await waitFor(
      'the note',
      async () => (await form.message('gpuCount')) === 'Meanwhile changed to 3 elsewhere.',
    );
    assert.equal(await form.inner('gpuCount').inputValue(), '5');
    assert.equal(await form.inner('cpu').inputValue(), '64');
    await form.clickApply();
    await waitFor('the apply', async () => (await form.status()).startsWith('Applied'));
  });

  it('undoes the last apply', async () => {
    const { gpuCount } = JSON.parse(patches().at(-1)!.body) as AppSettings;
    assert.equal(gpuCount, 5);
    assert.equal(await form.canUndo(), true);
    const undo = form.locator('[data-action="undo"]');
    const said = await undo.getAttribute('title');
    await undo.click();
    await waitFor('the undo', async () => (await form.status()) === 'The last apply was undone.');
    assert.equal(await form.inner('gpuCount').inputValue(), '3');
    const sent = JSON.parse(patches().at(-1)!.body) as AppSettings;
    assert.equal(sent.gpuCount, 3);
    assert.equal(said, `Sends ${settingsSummary(sent)}`);
    assert.equal(await undo.innerText(), 'Redo Last Apply');
  });

  it('says what failed until a field is edited, also after a look at another tab', async () => {
    service.answers(409, { message: 'a deployment is running, gpuCount stays' });
    await form.enter('gpuCount', '1');
    await form.clickApply();
    const isSaid = async () => /409.*a deployment is running/.test(await form.status());
    await waitFor('the failure', isSaid);
    service.change = (answer) => answer;
    await form.hide();
    await form.show();
    await waitFor('the failure, again', isSaid);
    assert.equal(await form.message('gpuCount'), 'The response of the service names this field.');
    await form.inner('gpuCount').press('Escape');
    await waitFor('the end of what was said', async () => (await form.status()) === '');
    await form.hide();
    await form.show();
    await form.inner('gpuCount').waitFor();
    assert.equal(await form.status(), '');
  });

  /** Applies a value, whose token the service rejects this once, and sets no other one. */
  async function isRejected(gpuCount: string): Promise<void> {
    service.answers(401, { message: 'revoked' });
    await form.enter('gpuCount', gpuCount);
    await form.clickApply();
    await ui.current.quickInput().waitFor();
    await form.isLeft();
    await ui.current.page.keyboard.press('Escape');
    await waitFor('the failure', async () => /401.*revoked/.test(await form.status()));
    // The question has taken it.
    await waitFor('the focus', hasFocus);
    service.change = (answer) => answer;
  }

  /** Whether something of the form has the focus. */
  const hasFocus = async (): Promise<boolean> =>
    (await form.frame()).evaluate<boolean>('document.hasFocus() && document.activeElement !== document.body');

  it('goes on with what was refused once another token is set by its link', async () => {
    await isRejected('2');
    const setToken = form.locator('[data-action="setToken"]');
    await ui.current.click(setToken, ui.current.quickInput());
    assert.equal(await form.status(), 'Waiting for your input…');
    await ui.current.page.keyboard.press('Escape');
    await waitFor('the failure', async () => /401.*revoked/.test(await form.status()));
    await form.hide();
    await form.show();
    await ui.current.click(setToken, ui.current.quickInput());
    await ui.current.answer(service.address.token);
    await waitFor('the apply', async () => (await form.status()).startsWith('Applied'));
    assert.equal((JSON.parse(patches().at(-1)!.body) as AppSettings).gpuCount, 2);
  });

  it('says what an undo did that was refused at first, with the focus on Apply', async () => {
    service.answers(401, { message: 'revoked' });
    await form.locator('[data-action="undo"]').click();
    await ui.current.quickInput().waitFor();
    await ui.current.page.keyboard.press('Escape');
    await waitFor('the failure', async () => /401.*revoked/.test(await form.status()));
    service.change = (answer) => answer;
    await ui.current.click(form.locator('[data-action="setToken"]'), ui.current.quickInput());
    await form.isLeft();
    await ui.current.answer(service.address.token);
    await waitFor('the undo', async () => (await form.status()) === 'The last apply was undone.');
    await form.locator('[data-action="apply"][focused]').waitFor();
  });

  it('leads to the addresses of the project where the service redirects', async () => {
    service.answers(307, '', { location: 'https://elsewhere.example/v2' });
    await form.enter('gpuCount', '2');
    await form.clickApply();
    const isRedirected = async () => /redirects to https:\/\/elsewhere\.example/.test(await form.status());
    await waitFor('where it leads', isRedirected);
    await ui.current.picture('redirected');
    await ui.current.click(form.locator('[data-action="setAddress"]'), ui.current.quickInput());
    await ui.current.page.keyboard.press('Escape');
    await waitFor('where it leads, again', isRedirected);
    service.change = (answer) => answer;
  });

  for (const isHidden of [false, true]) {
    const where = isHidden ? ', also while the tab is hidden' : '';
    it(`says no more of a rejected token once another one is set from its row${where}`, async () => {
      await isRejected('3');
      if (isHidden) await form.hide();
      const projects = ui.current.tree('Projects');
      await projects.pickFromContextMenu('ci', 'Set Token…', ui.current.quickInput());
      await ui.current.answer(service.address.token);
      if (isHidden) await form.show();
      await waitFor('what was typed', async () => (await form.inner('gpuCount').inputValue()) === '3');
      await waitFor('no failure', async () => (await form.status()) === '');
      assert.equal(await form.locator('[data-action="setToken"]').count(), 0);
      assert.equal(await form.canApply(), true);
      await form.locator('[data-field="gpuCount"]').press('Escape');
    });
  }

  async function use(account: string): Promise<void> {
    const projects = ui.current.tree('Projects');
    await projects.pickFromContextMenu(account, 'Use Service Account', () => projects.isInUse(account));
  }

  it('says nothing of a rejected token once another service account is in use', async () => {
    await isRejected('3');
    await use('other');
    await waitFor('no failure', async () => (await form.status()) === '');
    await use('ci');
    await isRejected('4');
    await form.hide();
    await use('other');
    await form.show();
    await waitFor('what was typed', async () => (await form.inner('gpuCount').inputValue()) === '4');
    assert.equal(await form.status(), '');
    await use('ci');
    await form.locator('[data-field="gpuCount"]').press('Escape');
  });

  it('names the account of a rejected token where another one has come into use while one was asked for', async () => {
    service.answers(401, { message: 'revoked' });
    await form.enter('gpuCount', '3');
    await form.clickApply();
    await ui.current.quickInput().waitFor();
    await use('other');
    await ui.current.quickInput().press('Escape');
    await waitFor('the failure', async () => /^ci: .*401.*revoked/.test(await form.status()));
    assert.equal(await form.locator('[data-action="setToken"]').count(), 0);
    await ui.current.picture('rejected of another');
    service.change = (answer) => answer;
    await use('ci');
    await form.locator('[data-field="gpuCount"]').press('Escape');
  });

  itTellsOutcomeOfHidden(() => ({ form, service }));

  it('says of an apply that a reload interrupts that it may have been applied, and keeps what was typed', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>();
    const before = patches().length;
    service.change = async (answer) => {
      await held;
      return answer;
    };
    await form.enter('replicaConcurrency', '9');
    await form.clickApply();
    await waitFor('the PATCH', () => patches().length === before + 1);
    const loaded = ui.current.page.waitForEvent('load');
    await ui.current.runCommand('Developer: Reload Window');
    await loaded;
    await ui.current.ready();
    letGo(undefined);
    service.change = (answer) => answer;
    const said = /^Interrupted by a reload\. The change may have been applied: apply it again/;
    await waitFor('what became of it', async () => said.test(await form.status()));
    assert.match(await form.locator('[data-last-applied]').innerText(), /^Possibly applied/);
    assert.equal(await form.inner('replicaConcurrency').inputValue(), '9');
    await ui.current.picture('interrupted apply');
    assert.equal(await form.canApply(), true);
    await form.locator('[data-field="replicaConcurrency"]').press('Escape');
  });

  it('describes its controls to assistive technology', async () => {
    await form.locator('[data-send-again="cpu"]').click();
    await form.enter('gpuCount', '9');
    const gpus = ui.current.webview().getByRole('textbox', { name: 'GPUs', exact: true });
    assert.equal(await gpus.getAttribute('aria-invalid'), 'true');
    // The references cross a shadow root, so no attribute names them.
    const described = await gpus.evaluate((input: { ariaDescribedByElements?: ScreenElement[] }) =>
      (input.ariaDescribedByElements ?? []).map(({ textContent }) => textContent),
    );
    assert.deepEqual(described, ['0–8', 'Enter 8 or less.']);
    const compute = ui.current.webview().getByRole('combobox', { name: 'Compute', exact: true });
    assert.equal(await compute.getAttribute('aria-invalid'), 'false');
  });

  for (const theme of themeNames) {
    it(`has no violation that axe-core finds (${theme})`, async () => {
      await ui.current.setTheme(theme);
      const found = await axeViolations(await form.frame());
      await ui.current.picture(`settings-form-${theme}`);
      assert.deepEqual(found, []);
    });
  }

  for (const width of [1280, 900]) {
    it(`has every label on the line of its field (${width} px)`, async () => {
      await ui.current.page.setViewportSize({ width, height: 800 });
      // A window that has changed its size is laid out piece by piece.
      await waitFor('each label on the line of its field', async () => {
        assert.ok((await form.locator('body').boundingBox())!.width < width);
        for (const { name } of fields) {
          const label = await middle(form.locator(`vscode-label[for="field-${name}"]`));
          const control = await middle(form.locator(`[data-field="${name}"]`));
          assert.ok(
            Math.abs(label - control) <= 1,
            `${name}: the label is at ${label}, its field at ${control}.`,
          );
        }
        return true;
      });
    });
  }

  it('says that nothing was applied once Runhook was reset, and keeps what was typed', async () => {
    await ui.current.page.setViewportSize({ width: 1280, height: 800 });
    await form.enter('gpuCount', '6');
    await form.clickApply();
    await ui.current.answer(service.address.token);
    await waitFor('the apply', async () => (await form.status()).startsWith('Applied'));
    await form.enter('gpuCount', '7');
    assert.match(await form.locator('[data-last-applied]').innerText(), /^(Last|Possibly) applied/);
    service.answers(409, { message: 'a deployment is running' });
    await form.clickApply();
    await waitFor('the failure', async () => (await form.status()).includes('409'));
    service.change = (answer) => answer;
    await form.hide();
    await ui.current.runCommand('Runhook: Reset Runhook');
    await ui.current.answerDialog('Remove');
    await form.show();
    const nothing = /^Nothing has been applied from this machine yet/;
    await waitFor('the header', async () =>
      nothing.test(await form.locator('[data-last-applied]').innerText()),
    );
    assert.equal(await form.inner('gpuCount').inputValue(), '7');
    assert.equal(await form.inner('memory').inputValue(), '');
    assert.equal(await form.canUndo(), false);
    assert.equal(await form.status(), '');
  });

  it('keeps Apply in sight in a narrow editor', async () => {
    const { page } = ui.current;
    await page.setViewportSize({ width: 760, height: 620 });
    await waitFor('Apply above the lower end of the window', async () => {
      const box = await form.locator('[data-action="apply"]').boundingBox();
      return box !== null && box.y + box.height < 620;
    });
    await ui.current.picture('settings-form-narrow');
  });
});

/** How far below the top of the window the middle of an element is, in pixels. */
async function middle(element: Locator): Promise<number> {
  const { y, height } = (await element.boundingBox())!;
  return y + height / 2;
}
