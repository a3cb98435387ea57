import assert from 'node:assert/strict';
import { plainText } from '../../src/model/text/plainText.ts';
import { colourOf } from '../support/colourOf.ts';
import { hostileTexts } from '../support/hostileTexts.ts';
import { SandboxGate } from '../support/sandboxGate.ts';
import { jwt } from '../support/jwt.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

const day = 24 * 60 * 60 * 1000;

/** What a text would become that is drawn as Markdown, HTML or icons. */
const markup = '.codicon-trash, .codicon-sync, b, strong, img, script, a[href]';

describe('the Projects view', () => {
  const service = new SandboxGate();
  const soonExpired = jwt({ exp: Math.floor((Date.now() + 10 * day) / 1000) });
  const settings: Record<string, unknown> = {
    ...{ 'git.enabled': true, 'search.useIgnoreFiles': false },
    'runhook.projects': [
      {
        id: 'p-sandbox',
        name: 'Acme',
        serviceAccounts: [
          { id: 'sa-ci', name: 'ci', environment: 'dev' },
          { id: 'sa-staging', name: 'preview', environment: 'staging' },
          { id: 'sa-release', name: 'release', environment: 'prod' },
        ],
        apps: [{ id: 'app-1', name: 'hello' }, { id: 'worker' }],
      },
    ],
  };
  before(async () => {
    const { baseUrl, proxyUrl } = await service.start();
    Object.assign(settings, { 'runhook.baseUrl': baseUrl, 'runhook.proxyUrl': proxyUrl });
    service.tokens.add(soonExpired);
  });
  after(async () => service.stop());
  const leaking = `NAME=acme\nTOKEN=${soonExpired}\n`;
  const files = { 'deploy.env': leaking, 'own.env': leaking, '.gitignore': 'own.env\n' };
  const ui = useWorkbench({ settings, files, isRepository: true });
  const tree = () => ui.current.tree('Projects');

  it('shows accounts and apps, and asks for the token that is not there', async () => {
    await tree().row('hello');
    const rows = await tree().rows();
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['Acme', 'p-sandbox'],
        ['ci', 'dev · active · no token'],
        ['preview', 'staging · no token'],
        ['release', 'prod · no token'],
        ['Apps', ''],
        ['hello', 'app-1'],
        ['worker', ''],
      ],
    );
  });

  it('lists the keys once the token is set, by status', async () => {
    await tree().expand('ci');
    await (await tree().row('No token yet: set it')).click();
    await ui.current.answer(service.address.token);
    await tree().row('deploy-bot');
    const rows = await tree().rows();
    const description = (label: string) => rows.find((row) => row.label === label)?.description;
    assert.equal(description('ci'), 'dev · active · token 83 days left');
    assert.match(description('deploy-bot') ?? '', /^valid until /);
    assert.equal(description('laptop'), 'expires in 6 days');
    assert.match(description('old-laptop') ?? '', /^expired /);
    assert.equal(description('nightly'), 'no expiry known');
  });

  it('offers in each menu what fits its line, and nothing else', async () => {
    const secret = ['Set Webhook Secret…', 'Rotate Webhook Secret', 'Copy Webhook Secret'];
    const page = 'Open API Keys Page';
    const ofProject = ['Add Service Account…', 'Add App…', 'Set Project Addresses…'];
    const token = ['Set Token…', 'Rotate Token…', 'Delete Token…', page, 'Refresh Service Account…'];
    const ofApp = ['Run App', 'Open Payload…', 'Edit App Settings', 'Show Timeline'];
    const ofAccount = ['Rename…', 'Set Environment…', 'Copy Id', 'Remove Service Account…'];
    const menus = {
      Acme: [...ofProject, page, ...secret, 'Rename…', 'Copy Id', 'Remove Project…'],
      ci: [...token, ...ofAccount],
      preview: ['Use Service Account…', 'Set Token…', page, ...ofAccount],
      'deploy-bot': ['Copy Id'],
      Apps: ['Add App…'],
      hello: [...ofApp, ...secret, 'Rename…', 'Copy Id', 'Remove App…'],
    };
    for (const [label, offered] of Object.entries(menus)) {
      assert.deepEqual(await tree().contextMenu(label), offered, label);
    }
    await tree().pickFromContextMenu('deploy-bot', 'Copy Id');
    const copied = async () => ui.current.page.evaluate('navigator.clipboard.readText()');
    await waitFor('the id of the key', async () => (await copied()) === 'key-2');
  });

  it('draws nothing that the service sent as markup', async () => {
    const { page } = ui.current;
    service.answers(
      200,
      hostileTexts.map((text, index) => ({ id: `k-${index}`, name: text, note: text })),
    );
    await tree().clickTitleAction('Refresh Projects');
    const lines = (await tree().open()).locator('.monaco-list-rows');
    const tooltip = page.locator('.monaco-hover:visible');
    // Markdown, HTML, icons, control characters, and a name of 10,000 characters.
    for (const text of [...hostileTexts.slice(0, 4), 'x'.repeat(10_000)]) {
      assert.ok(hostileTexts.includes(text));
      await (await tree().row(plainText(text))).hover();
      const note = `note: ${plainText(text, 200)}`;
      await waitFor(`the tooltip ${note}`, async () =>
        (await tooltip.allInnerTexts()).some((shown) => shown.replaceAll('\u00a0', ' ').includes(note)),
      );
      assert.equal(await tooltip.locator(markup).count(), 0, text.slice(0, 40));
    }
    assert.equal(await lines.locator(markup).count(), 0);
    service.answers(422, { message: hostileTexts.join(' ') });
    await tree().clickTitleAction('Refresh Projects');
    await (await tree().row('Listing failed: retry')).hover();
    await tooltip.getByText('**bold** [link]').waitFor();
    assert.equal(await page.locator(`.part.sidebar :is(${markup}), .monaco-hover :is(${markup})`).count(), 0);
    service.reset();
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('deploy-bot');
  });

  it('keeps the old token where the service refuses the new one', async () => {
    await tree().pickFromContextMenu('ci', 'Rotate Token…');
    await ui.current.answer('no-token-of-the-service');
    const refusal = ui.current.page.locator('.notification-toast', { hasText: '401' });
    await refusal.waitFor();
    await refusal.hover();
    await refusal.locator('.codicon-notifications-clear').click();
    service.requests.length = 0;
    await tree().clickTitleAction('Refresh Projects');
    const { headers } = await waitFor('a list call', () => service.requests[0]);
    assert.equal(headers.authorization, `Bearer ${service.address.token}`);
    await tree().row('deploy-bot');
  });

  it('asks before it runs an app in prod', async () => {
    const runs = () => service.requests.filter(({ method }) => method === 'POST');
    const question = ui.current.page.locator('.monaco-dialog-box');
    await tree().pickFromContextMenu('release', 'Set Token…');
    await ui.current.answer(service.address.token);
    await tree().pickFromContextMenu('release', 'Use Service Account…');
    await waitFor('its use', async () =>
      (await tree().rows()).some(({ description }) =>
        description.startsWith('prod · active · token 83 days'),
      ),
    );
    const runHello = async () => {
      await tree().clickAction('hello', 'Run App');
      const how = ui.current.quickPick('Run');
      await waitFor('the question', async () => {
        if (await how.isVisible()) await how.click({ timeout: 2000 });
        return question.isVisible();
      });
    };
    await runHello();
    await question.getByText('Run hello in prod?').waitFor();
    await question.getByText(`POST ${service.address.proxyUrl}`).waitFor();
    await ui.current.screenshot('run in prod');
    await ui.current.answerDialog('Cancel');
    await runHello();
    assert.deepEqual(runs(), []);
    await ui.current.answerDialog('Run');
    await waitFor('the run', () => runs().length === 1);
    await tree().pickFromContextMenu('release', 'Delete Token…');
    await ui.current.answerDialog('Delete');
    await tree().pickFromContextMenu('ci', 'Use Service Account…');
  });

  for (const theme of ['light', 'dark', 'highContrast'] as const) {
    it(`can be looked at: ${theme}`, async () => {
      await ui.current.setTheme(theme);
      await (await tree().row('hello')).hover();
      await ui.current.screenshot(`projects ${theme}`);
      await tree().contextMenu('ci', () => ui.current.screenshot(`projects menu ${theme}`));
    });
  }

  it('warns of its token in a file that git does not ignore, and moves it to the secret store', async () => {
    const { page } = ui.current;
    await tree().pickFromContextMenu('ci', 'Set Token…');
    await ui.current.answer(soonExpired);
    const renewed = (await tree().open()).getByText(/token (9|10) days left/);
    await renewed.waitFor();
    const warning = page.locator('.part.editor .squiggly-warning');
    for (const file of ['own.env', 'deploy.env']) {
      await ui.current.openQuickInput(file);
      await ui.current.quickPick(file).click();
    }
    await warning.first().waitFor();
    const problems = page.locator('[id="status.problems"]');
    // Both files are open, and hold the same: git ignores one of them.
    await waitFor('one warning', async () =>
      /Warnings: 1\b/.test((await problems.getAttribute('aria-label')) ?? ''),
    );
    await page.locator('.part.editor .view-line', { hasText: 'TOKEN=' }).click({ position: { x: 80, y: 8 } });
    const fix = await ui.current.quickFix('Move the token to the secret store');
    await ui.current.screenshot('token in a file');
    await fix.click();
    await ui.current.editorLine(/^TOKEN=\$RUNHOOK_TOKEN$/);
    await warning.first().waitFor({ state: 'detached' });
  });

  it('shows a busy service as a line to retry', async () => {
    service.answers(429, 'slow down', { 'retry-after': '3600' });
    await tree().clickTitleAction('Refresh Projects');
    service.answers(503, 'maintenance', { 'retry-after': '3600' });
    const first = await tree().row('Listing failed: retry');
    const asked = service.requests.length;
    await first.click();
    await waitFor('the second try', () => service.requests.length > asked);
    service.answers(200, { data: { keys: [{ keyId: 'k-9', keyName: 'again' }] } });
    await (await tree().row('Listing failed: retry')).click();
    await tree().row('again');
  });

  it('shows what cannot be read as such, and opens it', async () => {
    service.answers(200, [{ alpha: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln' }, { alpha: 2 }]);
    await tree().clickTitleAction('Refresh Projects');
    await (await tree().row('2 keys, shape not recognised')).click();
    const text = await waitFor('the document', async () => {
      const shown = await ui.current.editorText();
      return shown.includes('alpha') ? shown : '';
    });
    assert.doesNotMatch(text, /eyJ/);
    assert.equal(await ui.current.page.locator('.tab.active.dirty').count(), 0);
  });

  it('says once what expires soon, and counts it in the badge', async () => {
    service.answers(200, [
      { id: 'key-3', name: 'laptop', expires_at: new Date(Date.now() + 6 * day + 60_000) },
    ]);
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('laptop');
    await ui.current.page.locator('[aria-label^="Runhook"] ~ .badge', { hasText: '2' }).waitFor();
    await ui.current.runCommand('Notifications: Show Notifications');
    const center = ui.current.page.locator('.notifications-center.visible');
    await center.getByText('expires in').first().waitFor();
    assert.equal(await center.getByText('expires in').count(), 1);
    await center.getByText('expires in').hover();
    await center.getByRole('button', { name: "Don't Show Again" }).click();
    await center.getByText('expires in').waitFor({ state: 'detached' });
    if (await center.isVisible()) await ui.current.runCommand('Notifications: Hide Notifications');
  });

  it('shows a page of many keys, more on demand, and those that pass a filter', async () => {
    const many = Array.from({ length: 450 }, (_, index) => ({ id: `id-${index}`, name: `key ${index}` }));
    service.answers(200, many);
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('key 0');
    await ui.current.tree('Projects').clickTitleAction('Filter Keys…');
    await ui.current.answer('key 44');
    await tree().row('key 449');
    const shown = (await tree().rows()).filter(({ label }) => label.startsWith('key '));
    assert.equal(shown.length, 11);
    await tree().clickTitleAction('Clear Filter');
    await (await tree().row('key 0')).click();
    await ui.current.page.keyboard.press('End');
    await (await tree().row('Load more…')).click();
    const more = await waitFor('the rest', async () => {
      await ui.current.page.keyboard.press('End');
      return (await tree().rows()).find(({ description }) => description === '50 more');
    });
    assert.equal(more.label, 'Load more…');
  });

  it('keeps what was last known where the service is not reached', async () => {
    service.answers(200, [{ id: 'k-2', name: 'old-laptop' }]);
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('old-laptop');
    service.change = () => undefined;
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('Service not reached: retry');
    await tree().row('As last known, this minute');
    const colour = async (label: string) =>
      (await tree().row(label)).locator('.label-name').evaluate(colourOf);
    await waitFor(
      'the key to be greyed',
      async () => (await colour('old-laptop')) !== (await colour('hello')),
    );
    await ui.current.screenshot('projects offline');
  });

  it('can be cancelled', async () => {
    service.change = () => new Promise(() => undefined);
    const progress = (await tree().open()).locator('.monaco-progress-container.active');
    await tree().clickTitleAction('Refresh Projects');
    await progress.waitFor();
    await tree().clickAction('Loading keys…', 'Cancel Refresh');
    await tree().row('Listing failed: retry');
    await progress.waitFor({ state: 'detached' });
  });
});
