import assert from 'node:assert/strict';
import { FakeService } from '../support/fakeService.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

const count = 10_000;
/** Half a second is the aim on a machine at rest, and is printed; this holds on one that is busy as well. */
const limitMs = 2000;

describe('10,000 keys', () => {
  const service = new FakeService();
  const settings: Record<string, unknown> = {
    'runhook.projects': [{ id: 'p-1', name: 'Acme', serviceAccounts: [{ id: 'sa-1', name: 'ci' }] }],
  };
  before(async () => {
    settings['runhook.baseUrl'] = await service.start();
  });
  after(async () => service.stop());
  const ui = useWorkbench({ settings });

  it('are in the tree soon after the answer', async function () {
    this.timeout(90_000);
    const tree = ui.current.tree('Projects');
    let answeredAt = 0;
    let round = 0;
    service.answer = (_, response) => {
      round += 1;
      const keys = Array.from({ length: count }, (_unused, index) => ({
        id: `k-${index}`,
        name: `round ${round} key ${index}`,
        created_at: '2026-01-02T03:04:05Z',
        expires_at: '2027-03-02T10:00:00Z',
        scopes: ['run', 'read'],
      }));
      response.end(JSON.stringify({ keys }), () => (answeredAt = performance.now()));
    };
    await tree.expand('ci');
    await (await tree.row('No token yet: set it')).click();
    await ui.current.answer('a-token-for-many-keys');
    await tree.row('round 1 key 0');
    const times: number[] = [];
    for (let wanted = 2; wanted <= 4; wanted += 1) {
      const pane = await tree.open();
      await tree.clickTitleAction('Refresh Projects');
      await pane.getByText(`round ${wanted} key 0`, { exact: true }).waitFor();
      times.push(performance.now() - answeredAt);
    }
    console.log(`      ${count} keys in the tree after ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    assert.ok(Math.min(...times) < limitMs, `the limit is ${limitMs} ms`);
    // The editor answers at once: the host is not busy, and neither is the window.
    const asked = performance.now();
    await ui.current.openQuickInput('>Runhook: Refresh Projects');
    await waitFor('the palette', () => ui.current.quickPick('Runhook: Refresh Projects').isVisible());
    console.log(`      the palette opens after ${(performance.now() - asked).toFixed(0)} ms`);
    await ui.current.page.keyboard.press('Escape');
  });
});
