import { join } from 'node:path';
import { openWorkbench } from '../test/support/openWorkbench.ts';
import { startSession } from '../test/support/session.ts';
import type { Theme } from '../test/support/workbench.ts';
import { root, workFolder } from './checkout.ts';
import { packageExtension, vsix } from './packageExtension.ts';
import { runMain } from './runMain.mjs';
import { takePicture } from './tourPictures.ts';
import { withProgress } from './progress.ts';
import { tourFiles, tourSettings, tourSteps } from './tourSteps.ts';
import { ensureVscodeServer } from './vscodeServer.ts';

/** Light comes last: it is what the workbench goes on with. */
const themes: readonly Theme[] = ['dark', 'highContrast', 'light'];

// `npm run tour`: the main job without a person, with the packaged extension in a real VS Code. Prints what
// it saw and leaves screenshots; fails with the name of the step that did not work.
await runMain(async () => {
  await ensureVscodeServer();
  await withProgress('building and packing Runhook', packageExtension);
  const session = await startSession(vsix);
  const workbench = await openWorkbench(session, {
    sandbox: true,
    settings: tourSettings,
    files: tourFiles,
    screenshots: join(root, 'media', 'screenshots'),
  });
  await workbench.setTheme('light');
  for (const [index, step] of tourSteps.entries()) {
    const title = `${index + 1} of ${tourSteps.length}: ${step.name}`;
    try {
      const saw = await step.run(workbench);
      console.log(`✔ ${title}\n${saw.replaceAll(/^/gm, '    ')}`);
      for (const theme of step.screenshot === undefined ? [] : themes) {
        await workbench.setTheme(theme);
        await step.show?.(workbench);
        await workbench.screenshot(`${step.screenshot}-${theme}`);
        await step.hide?.(workbench);
        for (const picture of step.pictures ?? []) await takePicture(workbench, picture, theme);
      }
    } catch (error) {
      console.error(`✗ ${title}\n`, error);
      console.error(`A picture of it: ${await workbench.screenshot('tour-failed', workFolder)}`);
      return 1;
    }
  }
  await workbench.close();
  await session.dispose();
  console.log(`Screenshots are in ${join('media', 'screenshots')}.`);
  return 0;
});
