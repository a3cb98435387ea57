import assert from 'node:assert/strict';
import { loopFiles, loopSettings, loopSteps } from '../../scripts/tour/loopSteps.ts';
import { Receiver } from '../support/http/receiver.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

describe('the loop of debugging a handler', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let handler: Receiver;
  const settings: Record<string, unknown> = {};
  before(async () => {
    handler = await Receiver.start();
    Object.assign(settings, loopSettings(handler));
  });
  after(() => handler.close());
  const ui = useWorkbench({ sandbox: true, settings, files: loopFiles });

  for (const step of loopSteps(() => handler)) {
    it(step.name, async () => {
      await step.run(ui.current);
      if (step.screenshot !== undefined) await ui.current.picture(step.screenshot);
    });
  }

  it('is still so after a reload of the window', async () => {
    const deliveries = () => ui.current.tree('Deliveries').rows();
    const outcome = /^200 · .* · replayed$/;
    assert.ok((await deliveries()).some(({ description }) => outcome.test(description)));
    await ui.current.page.reload();
    await ui.current.ready();
    await waitFor('the outcome after the reload', async () =>
      (await deliveries()).some(({ label, description }) => label === 'echo' && outcome.test(description)),
    );
  });
});
