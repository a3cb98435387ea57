import { tourFiles, tourSettings, tourSteps } from '../../scripts/tour/tourSteps.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

describe('the main job on the sandbox', () => {
  const ui = useWorkbench({
    sandbox: true,
    settings: tourSettings,
    files: tourFiles,
  });
  for (const step of tourSteps) {
    it(step.name, async () => {
      await step.run(ui.current);
    });
  }
});
