import assert from 'node:assert/strict';
import type { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

/** A window whose view has 230 deliveries that did not verify, and what sends one that does, with this run id. */
interface Many {
  ui: ReturnType<typeof useWorkbench>;
  deliver: (runId: string) => Promise<number>;
}

/** The field over the view, and the row of what came lately. */
export function itFindsOneAmongMany({ ui, deliver }: Many): void {
  const tree = () => ui.current.tree('Deliveries');

  it('finds one among 500 by a header, and keeps what was found once its row is clicked', async () => {
    const statuses = await Promise.all(Array.from({ length: 270 }, (_, n) => deliver(`more-${n}`)));
    assert.ok(statuses.every((status) => status === 200));
    const pane = await tree().open();
    // The view is drawn anew for each burst, which swallows a click.
    await waitFor('the field', async (timeout) => {
      await tree().clickTitleAction('Filter Deliveries');
      await ui.current.quickInput().waitFor({ timeout });
      return true;
    });
    await ui.current.page.keyboard.type('header:x-request-id=more-177');
    await pane.getByText('1 of 500 · header:x-request-id=more-177').waitFor();
    await ui.current.screenshot('deliveries found by a header');
    await (await tree().row('more-177')).click();
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await waitFor('the delivery', async () => (await ui.current.editorText()).includes('more-177'));
    assert.equal((await tree().rows()).filter(({ label }) => label.startsWith('more-')).length, 1);
    await tree().clickTitleAction('Clear Delivery Filter');
    await waitFor('the others', async () => (await tree().rows()).length > 5);
  });

  it('shows how much came lately, until that is hidden', async () => {
    const lately = async () => (await tree().rows()).find(({ description }) => / in 5 min/.test(description));
    const { label, description } = await waitFor('how much came lately', lately);
    assert.match(label, /^[▁-█]{20}$/);
    assert.match(description, /^500 in 5 min · 230 did not verify/);
    await ui.current.screenshot('deliveries lately');
    await tree().pickFromTitleMenu('Hide Activity');
    await waitFor('it to be hidden', async () => (await lately()) === undefined);
    await tree().pickFromTitleMenu('Show Activity');
    await waitFor('it to be shown', lately);
  });
}
