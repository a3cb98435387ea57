import assert from 'node:assert/strict';
import { SandboxGate } from '../support/sandboxGate.ts';
import { jwt } from '../support/jwt.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day + Math.sign(days) * 60_000).toISOString();

/** The colour of an element's text. Runs in the page, which has what Node has not. */
const colourOf = (element: unknown) =>
  (globalThis as unknown as { getComputedStyle: (of: unknown) => { color: string } }).getComputedStyle(
    element,
  ).color;

describe('the Projects view', () => {
  const service = new SandboxGate();
  const soonExpired = jwt({ exp: Math.floor((Date.now() + 10 * day) / 1000) });
  const settings: Record<string, unknown> = {
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
    settings['runhook.baseUrl'] = baseUrl;
    settings['runhook.proxyUrl'] = proxyUrl;
    service.tokens.add(soonExpired);
  });
  after(async () => service.stop());
  const ui = useWorkbench({ settings });
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

  it('draws nothing that the service sent as markup', async () => {
    service.answers(200, [{ id: 'k-4', name: '$(trash) <b>bold</b> **md** [x](command:x)' }]);
    await tree().clickTitleAction('Refresh Projects');
    const row = await tree().row('$\u200b(trash) <b>bold</b> **md** [x]\u200b(command:x)');
    assert.equal(await row.locator('.codicon-trash, b, a[href]').count(), 0);
    service.reset();
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('deploy-bot');
  });

  for (const theme of ['light', 'dark', 'highContrast'] as const) {
    it(`can be looked at: ${theme}`, async () => {
      await ui.current.setTheme(theme);
      await (await tree().row('hello')).hover();
      await ui.current.screenshot(`projects ${theme}`);
    });
  }

  it('says what helps where the service refuses the token', async () => {
    service.answers(403, { message: 'revoked' });
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('Token refused: set a new one');
    await tree().row('deploy-bot');
    service.answers(200, [{ id: 'k-9', name: 'fresh' }]);
    await (await tree().row('Token refused: set a new one')).click();
    await ui.current.answer(soonExpired);
    await tree().row('fresh');
  });

  it('shows a busy service as a line to retry', async () => {
    service.answers(429, 'slow down', { 'retry-after': '3600' });
    await tree().clickTitleAction('Refresh Projects');
    const retry = await tree().row('Listing failed: retry');
    service.answers(200, [{ id: 'k-9', name: 'again' }]);
    await retry.click();
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
    service.answers(200, [{ id: 'key-3', name: 'laptop', expires_at: inDays(6) }]);
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('laptop');
    await ui.current.page.locator('.activitybar .badge-content', { hasText: '2' }).waitFor();
    const told = await ui.current.notifications();
    assert.equal(told.filter((text) => text.includes('expires in')).length, 1);
  });

  it('shows a page of many keys, more on demand, and those that pass a filter', async () => {
    const many = Array.from({ length: 450 }, (_, index) => ({ id: `id-${index}`, name: `key ${index}` }));
    service.answers(200, many);
    await tree().clickTitleAction('Refresh Projects');
    await tree().row('key 0');
    await ui.current.runCommand('Runhook: Filter Keys…');
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
