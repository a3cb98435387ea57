import assert from 'node:assert/strict';
import type { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

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
    // Whatever row has the focus, the field opens: this one stands for no delivery.
    await waitFor('the focus on the last row', async () => {
      await pane.locator('.monaco-list').first().focus();
      await ui.current.page.keyboard.press('End');
      return pane.locator('.monaco-list-row.focused', { hasText: 'Load More' }).isVisible();
    });
    await tree().clickTitleAction('Filter Deliveries', ui.current.quickInput());
    const query = 'header:x-request-id=more-177';
    await waitFor('one of all', async (timeout) => {
      // A click that was made again opens the field anew.
      await ui.current.quickInput().fill(query, { timeout });
      await pane.getByText(`1 of 500 · ${query}`).waitFor({ timeout });
      return true;
    });
    await ui.current.picture('deliveries found by a header');
    const isOpen = async () => (await ui.current.editorText()).includes('more-177');
    // A row that is drawn anew is no row that is selected.
    await tree().clickRow(
      'more-177',
      async () => (await isOpen()) && !(await ui.current.quickInput().isVisible()),
    );
    assert.equal((await tree().rows()).filter(({ label }) => label.startsWith('more-')).length, 1);
    await tree().clickTitleAction('Clear Delivery Filter', async () => (await tree().rows()).length > 5);
  });
}
