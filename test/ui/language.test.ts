import assert from 'node:assert/strict';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

describe('the Projects view in German', () => {
  const ui = useWorkbench({ sandbox: true, language: 'de' });

  it('says in the words and in the dates of that language when something expires', async () => {
    const tree = ui.current.tree('Projekte');
    await tree.expand('ci');
    await tree.row('laptop');
    const rows = await tree.rows();
    const description = (label: string) => rows.find((row) => row.label === label)?.description ?? '';
    assert.match(description('ci'), /^dev · \d+ Tage · 1 Schlüssel läuft ab$/);
    assert.match(description('laptop'), /^noch \d Tage$/);
    assert.match(description('deploy-bot'), /^gültig bis \d\d\.\d\d\.\d{4}$/);
  });
});
