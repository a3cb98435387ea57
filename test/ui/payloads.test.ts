import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

const path = '.runhook/payloads/sleep/nap.payload.json';
/** As the clone of a repository brings it, with what JSON alone does not have. */
const nap = '// As short as can be.\n{ "$runhook": { "webhook": false }, "seconds": 0, }\n';

describe('payloads of the workspace', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const ui = useWorkbench({ sandbox: true, files: { [path]: nap } });
  const tree = () => ui.current.tree('Projects');
  const rows = async (label: string) => (await tree().rows()).filter((row) => row.label === label);
  const isAt = (place: string) => async () => (await rows('nap')).some((row) => row.description === place);

  it('run at once in a fresh clone, from their rows', async () => {
    await waitFor('the payload of the workspace', async () => {
      await tree().expand('sleep');
      return isAt('workspace')();
    });
    const question = ui.current.page.locator('.monaco-dialog-box');
    await tree().clickAction('nap', 'Run App with This File', question);
    await question.getByText(`Run sleep with ${path}?`).waitFor();
    await ui.current.picture('payload question');
    await ui.current.answerDialog('Run');
    await ui.current.editorLine(/^200 · /);
  });

  it('come and go with the disk, without a click', async () => {
    const folder = new URL(ui.current.page.url()).searchParams.get('folder')!;
    const pulled = join(folder, path.replace('nap', 'pulled'));
    await writeFile(pulled, nap);
    await tree().row('pulled');
    await rm(pulled);
    await waitFor('its row to go', async () => (await rows('pulled')).length === 0);
  });
});
