import assert from 'node:assert/strict';
import { plainText } from '../../src/shared/text/plainText.ts';
import { hostileTexts } from '../support/untrusted/hostileTexts.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import { jwt } from '../support/service/jwt.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

const day = 24 * 60 * 60 * 1000;

/** What a text would become that is drawn as Markdown, HTML or icons. */
const markup = '.codicon-trash, .codicon-sync, b, strong, img, script, a[href]';

describe('the Projects view', () => {
  const service = new SandboxGate();
  const soonExpired = jwt({ exp: Math.floor((Date.now() + 10 * day) / 1000) });
  const settings: Record<string, unknown> = {
    ...{ 'git.enabled': true, 'search.useIgnoreFiles': false },
    // Its tooltips are looked at.
    'workbench.hover.delay': 300,
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
  const shows = async (label: string) => (await tree().rows()).some((row) => row.label === label);
  /** Refreshes until the service is asked. */
  const refresh = async () => {
    const before = service.requests.length;
    await tree().clickTitleAction('Refresh Projects', () => service.requests.length > before);
  };

  it('shows accounts and apps, and asks for the token that is not there', async () => {
    await tree().row('hello');
    const rows = await tree().rows();
    assert.deepEqual(
      rows.map(({ label, description }) => [label, description]),
      [
        ['Acme', ''],
        ['ci', '● no token · dev'],
        ['preview', 'no token · staging'],
        ['release', 'no token · prod'],
        ['Apps', ''],
        ['hello', ''],
        ['worker', ''],
      ],
    );
  });

  it('never offers to add a first project while the list of projects is loading', async () => {
    const { page } = ui.current;
    const offered: string[] = [];
    await page.exposeFunction('offered', (text: string) => offered.push(text));
    await page.addInitScript(`new MutationObserver(() => {
      const welcome = document.querySelector('.welcome-view-content');
      if (welcome?.textContent.includes('Add Project') && welcome.checkVisibility()) offered(welcome.textContent);
    }).observe(document, { subtree: true, childList: true, attributes: true });`);
    await page.reload();
    await tree().row('hello');
    assert.deepEqual([...new Set(offered)], []);
  });

  it('lists the keys once the token is set, by status', async () => {
    await tree().expand('ci');
    await tree().clickRow('No token yet', ui.current.quickInput());
    await ui.current.answer(service.address.token);
    await tree().row('deploy-bot');
    // The account is drawn again once its keys are there.
    const rows = await waitFor('what the account says of its keys', async () => {
      const all = await tree().rows();
      const isTold = all.some(({ description }) => description === '1 key expires · dev');
      return isTold ? all : undefined;
    });
    const description = (label: string) => rows.find((row) => row.label === label)?.description;
    assert.match(description('deploy-bot') ?? '', /^until /);
    assert.equal(description('laptop'), '6 days left');
    assert.match(description('old-laptop') ?? '', /^expired /);
    assert.equal(description('nightly'), 'no expiry known');
  });

  it('offers in each menu what fits its line, and nothing else', async () => {
    const ofProject = ['Add Service Account…', 'Add App…', 'Set Project Addresses…'];
    const token = ['Refresh Service Account', 'Set Token…', 'Delete Token'];
    const run = ['Run with Webhook', 'Run App…', 'Open Payload', 'Edit App Settings', 'Show Timeline'];
    const ofAccount = ['Rename…', 'Set Environment…', 'Copy Id', 'Remove Service Account'];
    const menus = {
      Acme: [...ofProject, 'Rename…', 'Copy Id', 'Remove Project'],
      ci: [...token, 'Give Terminals the Token', ...ofAccount],
      preview: ['Use Service Account', 'Set Token…', ...ofAccount],
      'deploy-bot': ['Copy Id'],
      Apps: ['Add App…'],
      hello: [...run, 'Create Fixtures for This App', 'Webhook Secret', 'Rename…', 'Remove App'],
    };
    for (const [label, offered] of Object.entries(menus)) {
      assert.deepEqual(await tree().contextMenu(label), offered, label);
    }
    const copied = async () => ui.current.page.evaluate('navigator.clipboard.readText()');
    await tree().pickFromContextMenu('deploy-bot', 'Copy Id', async () => (await copied()) === 'key-2');
  });

  it('draws nothing that the service sent as markup', async () => {
    const { page } = ui.current;
    service.answers(
      200,
      hostileTexts.map((text, index) => ({ id: `k-${index}`, name: text, note: text })),
    );
    await refresh();
    const lines = (await tree().open()).locator('.monaco-list-rows');
    // Markdown, HTML, icons, control characters, and a name of 10,000 characters.
    for (const text of [...hostileTexts.slice(0, 4), 'x'.repeat(10_000)]) {
      assert.ok(hostileTexts.includes(text));
      const note = `note: ${plainText(text, 200)}`;
      const tooltip = await tree().showTooltip(plainText(text), note);
      assert.equal(await tooltip.locator(markup).count(), 0, text.slice(0, 40));
    }
    assert.equal(await lines.locator(markup).count(), 0);
    service.answers(422, { message: hostileTexts.join(' ') });
    await refresh();
    const refused = async () => (await tree().rows()).find(({ label }) => label.startsWith('422: '))?.label;
    await tree().showTooltip(await waitFor('the refusal', refused), '**bold** [link]');
    assert.equal(await page.locator(`.part.sidebar :is(${markup}), .monaco-hover :is(${markup})`).count(), 0);
    service.reset();
    await refresh();
    await tree().row('deploy-bot');
  });

  it('asks before it runs an app in prod', async () => {
    const runs = () => service.requests.filter(({ method }) => method === 'POST');
    const question = ui.current.page.locator('.monaco-dialog-box');
    await tree().pickFromContextMenu('release', 'Set Token…', ui.current.quickInput());
    await ui.current.answer(service.address.token);
    const use = async (label: string) =>
      tree().pickFromContextMenu(label, 'Use Service Account', () => tree().isInUse(label));
    await use('release');
    const runHello = () => tree().clickAction('hello', 'Run', question);
    await runHello();
    await question.getByText('Run hello in prod?').waitFor();
    await question.getByText(`POST ${service.address.proxyUrl}`).waitFor();
    await ui.current.picture('run in prod');
    await ui.current.answerDialog('Cancel');
    await runHello();
    assert.deepEqual(runs(), []);
    await ui.current.answerDialog('Run');
    await waitFor('the run', () => runs().length === 1);
    await tree().pickFromContextMenu('release', 'Delete Token', question);
    await ui.current.answerDialog('Delete');
    await use('ci');
    await ui.current.pictures('projects', async (take) => {
      await (await tree().row('hello')).hover();
      await take();
    });
    await ui.current.pictures('projects menu', (take) => tree().contextMenu('ci', take));
  });

  it('warns of its token in a file that git does not ignore, and moves it to the secret store', async () => {
    const { page } = ui.current;
    await tree().pickFromContextMenu('ci', 'Set Token…', ui.current.quickInput());
    await ui.current.answer(soonExpired);
    const renewed = (await tree().open()).getByText(/(9|10) days left · dev/);
    await renewed.waitFor();
    const warning = page.locator('.part.editor .squiggly-warning');
    for (const file of ['own.env', 'deploy.env']) await ui.current.openFile(file);
    await warning.first().waitFor();
    const problems = page.locator('[id="status.problems"]');
    // Both files are open, and hold the same: git ignores one of them.
    await waitFor('one warning', async () =>
      /Warnings: 1\b/.test((await problems.getAttribute('aria-label')) ?? ''),
    );
    await page.locator('.part.editor .view-line', { hasText: 'TOKEN=' }).click({ position: { x: 80, y: 8 } });
    const fix = await ui.current.quickFix('Keep the token only in the secret store');
    await ui.current.picture('token in a file');
    await ui.current.click(fix, async () => !(await fix.isVisible()));
    await ui.current.editorLine(/^TOKEN=\$RUNHOOK_TOKEN$/);
    await warning.first().waitFor({ state: 'detached' });
  });

  it('shows a busy service as a line to retry', async () => {
    service.answers(429, 'slow down', { 'retry-after': '3600' });
    await refresh();
    const labelLike = (pattern: RegExp) =>
      waitFor(`a row ${pattern.source}`, async () =>
        (await tree().rows()).map(({ label }) => label).find((label) => pattern.test(label)),
      );
    const busy = await labelLike(/^429 until \d\d:\d\d:\d\d$/);
    service.answers(503, 'maintenance', { 'retry-after': '3600' });
    await tree().clickRow(busy, async () => !(await shows(busy)));
    const down = await labelLike(/^503 until \d\d:\d\d:\d\d$/);
    service.answers(200, { data: { keys: [{ keyId: 'k-9', keyName: 'again' }] } });
    await tree().clickRow(down, () => shows('again'));
  });

  it('shows what cannot be read as such, and opens it', async () => {
    service.answers(200, [{ alpha: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln' }, { alpha: 2 }]);
    await refresh();
    const isOpen = async () => (await ui.current.editorText()).includes('alpha');
    await tree().clickRow('Unreadable', isOpen);
    assert.doesNotMatch(await ui.current.editorText(), /eyJ/);
    assert.equal(await ui.current.page.locator('.tab.active.dirty').count(), 0);
  });

  it('says once what expires soon, and counts it in the badge', async () => {
    service.answers(200, [
      { id: 'key-3', name: 'laptop', expires_at: new Date(Date.now() + 6 * day + 60_000) },
    ]);
    await refresh();
    await tree().row('laptop');
    await ui.current.page.locator('[aria-label^="Runhook"] ~ .badge', { hasText: '2' }).waitFor();
    await ui.current.runCommand('Notifications: Show Notifications');
    const center = ui.current.page.locator('.notifications-center.visible');
    await center.getByText('expires in').first().waitFor();
    assert.equal(await center.getByText('expires in').count(), 1);
    await ui.current.click(
      center.getByRole('button', { name: "Don't Show Again" }),
      async () => (await center.getByText('expires in').count()) === 0,
    );
    // It hides by itself once it is empty.
    await waitFor('the notifications to be hidden', async (timeout) => {
      if (await center.isVisible())
        await center
          .getByLabel(/^Hide Notifications/)
          .first()
          .click({ timeout });
      return !(await center.isVisible());
    });
  });

  it('shows a page of many keys, more on demand, and those that pass a filter', async () => {
    const many = Array.from({ length: 450 }, (_, index) => ({ id: `id-${index}`, name: `key ${index}` }));
    service.answers(200, many);
    await refresh();
    await tree().row('key 0');
    await tree().pickFromTitleMenu('Filter Keys…', ui.current.quickInput());
    await ui.current.answer('key 44');
    await tree().row('key 449');
    const shown = (await tree().rows()).filter(({ label }) => label.startsWith('key '));
    assert.equal(shown.length, 11);
    await tree().pickFromTitleMenu('Filter Keys…', ui.current.quickInput());
    await ui.current.answer('');
    await tree().row('key 0');
    const focused = ui.current.page.locator('.monaco-list:focus-within .monaco-list-row.focused');
    await tree().clickRow('key 0', focused.filter({ hasText: 'key 0' }));
    const last = async () => {
      await ui.current.page.keyboard.press('End');
      return (await tree().rows()).find(({ label }) => label === 'Load More');
    };
    await waitFor('the end', last);
    await tree().clickRow('Load More', async () => (await last())?.description === '50 more');
  });

  it('keeps what was last known where the service is not reached', async () => {
    service.answers(200, [{ id: 'k-2', name: 'old-laptop' }]);
    await refresh();
    await tree().row('old-laptop');
    service.change = () => undefined;
    await refresh();
    await tree().row('service disconnected');
    await waitFor('the time of what is known', async () =>
      (await tree().rows()).some(({ label }) => /^As last known, \d\d:\d\d:\d\d$/.test(label)),
    );
    await ui.current.picture('projects offline');
  });

  it('can be cancelled', async () => {
    service.change = () => new Promise(() => undefined);
    const progress = (await tree().open()).locator('.monaco-progress-container.active');
    await tree().clickTitleAction('Refresh Projects', progress);
    await tree().clickAction('Loading keys', 'Cancel Refresh', () => shows('Cancelled.'));
    await progress.waitFor({ state: 'detached' });
  });
});
