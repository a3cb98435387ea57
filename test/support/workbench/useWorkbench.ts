import { openWorkbench, type WorkbenchOptions } from './openWorkbench.ts';
import { session } from './session.ts';
import type { Workbench } from './workbench.ts';

/**
 * Opens a workbench for the tests of this `describe`: before the first, until after the last. A failing test leaves a
 * screenshot in `.vscode-test/screenshots/`. See `Workbench` for its methods.
 */
export function useWorkbench(options: WorkbenchOptions = {}): { readonly current: Workbench } {
  let opened: Workbench | undefined;
  before('opens the workbench', async () => {
    opened = await openWorkbench(await session(options), options);
  });
  afterEach('keeps what is on the screen at a failure', async function () {
    if (this.currentTest?.state === 'failed') await opened?.keepFailure(this.currentTest.fullTitle());
  });
  after('closes the workbench', async () => {
    await opened?.close();
  });
  return {
    get current() {
      if (opened === undefined) throw new Error('The workbench opens before the first test, not earlier.');
      return opened;
    },
  };
}
