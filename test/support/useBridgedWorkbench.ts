import { type Bridge, BridgedSession } from './bridgedSession.ts';
import { openWorkbench, type WorkbenchOptions } from './openWorkbench.ts';
import { browser } from './session.ts';
import type { Workbench } from './workbench.ts';

/** A workbench on a server of its own, and the extension host of it. */
export interface BridgedWorkbench {
  session: BridgedSession;
  workbench: Workbench;
  /** That of the start; a test that ends it finds the next one by the session. */
  bridge: Bridge;
}

/**
 * Gives the tests of this `describe` a workbench whose extension host they reach by a bridge: to run commands
 * and see what they return, to measure, or to end it.
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
