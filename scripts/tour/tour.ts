import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { openWorkbench, type WorkbenchOptions } from '../../test/support/workbench/openWorkbench.ts';
import { Receiver } from '../../test/support/http/receiver.ts';
import { endSession, session } from '../../test/support/workbench/session.ts';
import type { Theme } from '../../test/support/workbench/workbench.ts';
import { root, workFolder } from '../checkout.ts';
import { packageExtension } from '../build/package.ts';
import { runMain, withProgress } from '../runMain.mjs';
import { drawLoopStrips } from './loopStrips.ts';
import { loopFiles, loopSettings, loopSteps } from './loopSteps.ts';
import { tourFiles, tourSettings, type TourStep, tourSteps } from './tourSteps.ts';
import { ensureVscodeServer } from '../test/vscodeServer.ts';

/** Light comes last, because the next step continues with it. */
const themes: readonly Theme[] = ['dark', 'highContrast', 'light'];

// `npm run tour` plays the main use case and the debugging of a handler, with the packaged extension in a real VS Code.
// It prints what it sees and saves pictures in .vscode-test/tour, or with `-- --update` in media/. If a step fails, it
// prints its name.
await runMain(async () => {
  const { values } = parseArgs({ options: { update: { type: 'boolean', default: false } } });
  const folder = values.update ? join(root, 'media') : join(workFolder, 'tour');
  await ensureVscodeServer();
  await withProgress('building and packing Runhook', packageExtension);
  const screenshots = join(folder, 'screenshots');
  const main = { sandbox: true, settings: tourSettings, files: tourFiles, screenshots };
  const handler = await Receiver.start();
  const size = { width: 1100, height: 700 };
  // Only the strips that are made of them go into media/.
  const loopScreenshots = join(workFolder, 'tour', 'loop');
  const own = { settings: loopSettings(handler), files: loopFiles, screenshots: loopScreenshots };
  const loop = { ...main, ...own, size };
  const steps = loopSteps(() => handler);
  const isDone = (await runSteps(tourSteps, main)) && (await runSteps(steps, loop));
  await handler.close();
  if (isDone) await drawLoopStrips((await session()).browser, loopScreenshots, screenshots);
  await endSession();
  if (isDone) console.log(`Its pictures are in ${relative(root, folder)}.`);
  return isDone ? 0 : 1;
});

/** Runs steps in a new window. @returns whether all succeeded */
async function runSteps(steps: readonly TourStep[], options: WorkbenchOptions): Promise<boolean> {
  const workbench = await openWorkbench(await session(), options);
  await workbench.setTheme('light');
  for (const [index, step] of steps.entries()) {
    const title = `${index + 1} of ${steps.length}: ${step.name}`;
    try {
      const saw = await step.run(workbench);
      console.log(`✔ ${title}\n${saw.replaceAll(/^/gm, '    ')}`);
      for (const theme of step.screenshot === undefined ? [] : themes) {
        await workbench.setTheme(theme);
        await step.show?.(workbench);
        await workbench.screenshot(`${step.screenshot}-${theme}`);
        await step.hide?.(workbench);
      }
    } catch (error) {
      console.error(`✗ ${title}\n`, error);
      console.error(`A picture of it: ${await workbench.screenshot('tour-failed', workFolder)}`);
      return false;
    }
  }
  await workbench.close();
  return true;
}
