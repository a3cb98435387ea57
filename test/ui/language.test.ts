import assert from 'node:assert/strict';
import { waitFor } from '../support/time/waitFor.ts';
import { languages, readBundle, readManifestBundle } from '../../scripts/l10n/bundles.ts';
import type { TreeView } from '../support/workbench/treeView.ts';
import { SettingsForm } from '../support/workbench/settingsForm.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

describe('the Projects view in German', () => {
  const ui = useWorkbench({ sandbox: true, language: 'de' });

  it('says in the words and in the dates of that language when something expires', async () => {
    const tree = ui.current.tree('Projekte');
    await tree.expand('ci');
    await tree.row('laptop');
    const description = async (label: string) =>
      (await tree.rows()).find((row) => row.label === label)?.description ?? '';
    // The account is drawn again once its keys are there.
    await waitFor('what the account says of its keys', async () =>
      /^läuft ab: 1 Schlüssel · dev$/.test(await description('ci')),
    );
    assert.match(await description('laptop'), /^noch \d Tage$/);
    assert.match(await description('deploy-bot'), /^bis \d\d\.\d\d\.\d{4}$/);
  });
});

for (const language of languages()) {
  describe(`rows in a narrow side bar, ${language}`, () => {
    // Nobody listens on the port of a protocol that is out of use.
    const settings = {
      'runhook.listener.forwardTo': 'http://127.0.0.1:9/',
      'security.workspace.trust.enabled': false,
    };
    const ui = useWorkbench({ sandbox: true, language, settings });
    const title = readManifestBundle(language);
    const say = readBundle(language);

    it('show outcome and reason whole', async () => {
      const projects = ui.current.tree(title['view.projects']!);
      const deliveries = ui.current.tree(title['view.deliveries']!);
      await ui.current.resizeSideBar(290);
      await projects.expand('ci');
      await projects.clickAction(
        'echo',
        title['command.runPayloadWithWebhook']!,
        async () => (await deliveries.rows()).length > 0,
      );
      const whole = async (view: TreeView, label: string, words: string) =>
        waitFor(words, async () =>
          (await view.visibleRows()).some(
            (row) => row.label.startsWith(label) && row.description.includes(words),
          ),
        );
      await whole(deliveries, 'echo', say['handler {0}']!.replace('{0}', say['not running']!));
      await whole(projects, 'ci', say['1 key expires']!);
      await whole(projects, 'production', say['rejected']!);
      await projects.expand('production');
      await whole(projects, say['Token rejected']!, '');
      await ui.current.picture(`narrow rows ${language}`);
    });

    it('leave room for a form that nothing is cut off from', async () => {
      const form = new SettingsForm(ui.current);
      await ui.current.page.setViewportSize({ width: 630, height: 800 });
      const gpus = form.locator('[data-field="gpuCount"]');
      await ui.current
        .tree(title['view.projects']!)
        .clickAction('hello', title['command.editAppSettings']!, gpus);
      await form.inner('gpuCount').fill('1');
      await form.locator('[data-action="apply"]:not(.off)').waitFor();
      const frame = await form.frame();
      assert.ok((await frame.evaluate<number>('innerWidth')) < 300);
      await ui.current.picture(`narrow form ${language}`);
      const tooWide = '(document.documentElement.scrollWidth - innerWidth)';
      assert.ok((await frame.evaluate<number>(tooWide)) <= 0);
    });
  });
}
