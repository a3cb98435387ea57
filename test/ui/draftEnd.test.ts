import type { Delivery } from '../../src/model/deliveries/delivery.ts';
import { useBridgedWorkbench } from '../support/workbench/useBridgedWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

describe('a draft that is typed in as its window ends', () => {
  const ui = useBridgedWorkbench();

  it('has what was typed last', async () => {
    const { bridge, workbench, session } = ui.current;
    const { page } = workbench;
    await bridge.command('setWebhookSecret', { secret: 'the secret of the draft' });
    await bridge.command('startListener', { port: 0 });
    await bridge.command('sendTestDelivery', { body: { n: 1 } });
    const [delivery] = await bridge.command<Delivery[]>('listDeliveries');
    await bridge.command('editDelivery', { id: delivery!.id });
    const lines = page.locator('.editor-instance .view-lines');
    await lines.getByText('"n"').click();
    // The browser asks whether to leave the page with what is not saved.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.keyboard.insertText('typed last');
    await lines.getByText('typed last').waitFor();
    await page.reload();
    await workbench.ready();
    const next = await waitFor('the next window', () => session.runningBridge(new Set([bridge.pid])));
    await next.command('editDelivery', { id: delivery!.id });
    await lines.getByText('typed last').waitFor();
  });
});
