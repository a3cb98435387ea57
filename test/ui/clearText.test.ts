import assert from 'node:assert/strict';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

describe('an address that is not encrypted', () => {
  const serviceAccounts = [{ id: 'sa-ci', name: 'ci', environment: 'dev' }];
  const ui = useWorkbench({
    settings: {
      'runhook.baseUrl': 'http://api.example/',
      'runhook.projects': [{ id: 'p-1', name: 'Acme', serviceAccounts, apps: [{ id: 'hello' }] }],
    },
  });
  const warning = () => ui.current.page.locator('.notification-list-item', { hasText: 'is not encrypted' });

  it('is warned of, and stands in the tree', async () => {
    await warning().waitFor();
    await ui.current.runCommand('Runhook: Focus on Projects View');
    const rows = await waitFor('the project', async () => {
      const shown = await ui.current.tree('Projects').rows();
      return shown.length > 1 ? shown : undefined;
    });
    const [project, line] = rows;
    assert.equal(project?.description, 'not encrypted');
    assert.equal(line?.label, 'Not encrypted: use https');
    await ui.current.pictures('not encrypted');
  });

  it('leads to its setting by a click', async () => {
    const setting = ui.current.page.locator('.settings-editor', {
      hasText: 'Address at which the service runs apps',
    });
    await ui.current.tree('Projects').clickRow('Not encrypted: use https', setting);
    await ui.current.page.locator('.settings-editor', { hasText: 'Address of the management API' }).waitFor();
  });
});
