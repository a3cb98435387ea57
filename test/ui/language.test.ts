import assert from 'node:assert/strict';
import { waitFor } from '../support/time/waitFor.ts';
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
      /^dev · \d+ Tage · 1 Schlüssel läuft ab$/.test(await description('ci')),
    );
    assert.match(await description('laptop'), /^noch \d Tage$/);
    assert.match(await description('deploy-bot'), /^gültig bis \d\d\.\d\d\.\d{4}$/);
  });
});
