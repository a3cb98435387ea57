import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ErrorSurface } from '../../../src/editor/kit/errorSurface.ts';
import { TimelinePanel, type TimelineSource } from '../../../src/editor/timeline/feature.ts';
import type { Timeline } from '../../../src/model/timeline/timeline.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { WebviewRig } from '../webviewRig.ts';

describe('TimelinePanel', () => {
  it('ends with the newest update, if an older one takes longer to read', async () => {
    const rig = new WebviewRig();
    const changed = new vscode.EventEmitter<void>();
    const log = vscode.window.createOutputChannel('Timeline Rig', { log: true });
    /** The reads that nobody has answered yet, in the order of their start. */
    const reads: ((title: string) => void)[] = [];
    const source = {
      onDidChange: changed.event,
      read: () =>
        new Promise<Timeline>((resolve) => {
          reads.push((title) =>
            resolve({ title, lanes: [], leftOut: { lanes: 0, marks: 0 }, now: Date.now() }),
          );
        }),
    } as unknown as TimelineSource;
    const { extensionUri } = vscode.extensions.getExtension('runhook.runhook')!;
    const panel = rig.panel();
    new TimelinePanel(
      panel,
      { kind: 'run', id: 'run-1' },
      { source, open: () => Promise.resolve(), errors: {} as ErrorSurface, extensionUri, log },
    );
    const nextRead = (count: number) => waitFor(`read ${count}`, () => reads[count - 1]);
    const titles = () => rig.told('show').map((timeline) => (timeline as Timeline).title);
    try {
      const loaded = rig.ask('load');
      (await nextRead(1))('at first');
      await loaded;
      const older = await nextRead(2);
      changed.fire();
      const newer = await nextRead(3);
      newer('newer');
      await waitFor('the newer one', () => titles().includes('newer'));
      older('older');
      changed.fire();
      (await nextRead(4))('newest');
      await waitFor('the newest one', () => titles().includes('newest'));
      assert.deepEqual(titles(), ['newer', 'newest']);
      assert.equal(panel.title, 'Timeline newest');
    } finally {
      rig.close();
      changed.dispose();
      log.dispose();
    }
  });
});
