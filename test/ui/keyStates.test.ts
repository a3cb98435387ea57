import assert from 'node:assert/strict';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();

describe('what the service says of keys, and whose token read them', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const service = new SandboxGate();
  const settings: Record<string, unknown> = {
    'runhook.projects': [
      {
        id: 'p-sandbox',
        name: 'Acme',
        serviceAccounts: [
          { id: 'sa-ci', name: 'ci', environment: 'dev' },
          { id: 'sa-release', name: 'release', environment: 'prod' },
        ],
      },
    ],
  };
  before(async () => {
    settings['runhook.baseUrl'] = (await service.start()).baseUrl;
    const keys = [
      { id: 'k-1', name: 'deploy-bot', expiresAt: inDays(200) },
      { id: 'k-2', name: 'old-laptop', expiresAt: inDays(6), revoked: true },
      { id: 'k-3', name: 'nightly', expiresAt: inDays(90), disabled: true },
      { id: 'k-4', name: 'backup', expiresAt: inDays(6), status: 'pending rotation' },
    ];
    const body = JSON.stringify({ keys, nextPageToken: 'abc' });
    service.change = (answer) => ({ ...answer, status: 200, body });
  });
  after(() => service.stop());
  const ui = useWorkbench({ settings });
  const tree = () => ui.current.tree('Projects');
  const labels = async () => (await tree().rows()).map(({ label }) => label);

  it('stand in the rows', async () => {
    await tree().pickFromContextMenu('ci', 'Set Token…', ui.current.quickInput());
    await ui.current.answer('an-opaque-token');
    await tree().expand('ci');
    await waitFor('the end of the list', async () => (await labels()).includes('The list may go on'));
    const rows = await tree().rows();
    const described = (label: string) => rows.find((row) => row.label === label)?.description ?? '';
    assert.match(described('old-laptop'), /^revoked · expires in 5 days|^revoked · expires in 6 days/);
    assert.match(described('nightly'), /^disabled · /);
    assert.match(described('backup'), /^pending rotation · /);
    await ui.current.pictures('key states');
  });
});
