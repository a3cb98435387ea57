import { type Bridge, BridgedSession } from './bridgedSession.ts';
import { openWorkbench, type WorkbenchOptions } from './openWorkbench.ts';
import { browser } from './session.ts';
import type { Workbench } from './workbench.ts';

/** A workbench with its own server, and a bridge to its extension host. */
interface BridgedWorkbench {
  session: BridgedSession;
  workbench: Workbench;
  /** The first extension host. After ending it, a test gets the next one from the session. */
  bridge: Bridge;
}

/**
 * Opens a workbench with a bridge for the tests of this `describe`. Through the bridge they run commands and see the
 * results, measure the extension host, or kill it.
 */
export function useBridgedWorkbench(options: WorkbenchOptions = {}): { readonly current: BridgedWorkbench } {
  let opened: BridgedWorkbench | undefined;
  before('opens the workbench', async () => {
    const bridged = await BridgedSession.start(await browser());
    const workbench = await openWorkbench(bridged, options);
    opened = { session: bridged, workbench, bridge: await bridged.bridge() };
  });
  afterEach('keeps what is on the screen at a failure', async function () {
    if (this.currentTest?.state === 'failed')
      await opened?.workbench.keepFailure(this.currentTest.fullTitle());
  });
  after('closes the workbench', async () => {
    await opened?.workbench.close();
    await opened?.session.dispose();
  });
  return {
    get current() {
      if (opened === undefined) throw new Error('The workbench opens before the first test, not earlier.');
      return opened;
    },
  };
}
