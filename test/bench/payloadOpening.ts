import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbench } from '../support/workbench/openWorkbench.ts';
import type { Session } from '../support/workbench/session.ts';
import { waitFor } from '../support/time/waitFor.ts';

/** How soon payload files of the workspace appear in the view, in milliseconds. */
interface PayloadTimes {
  /** In a new window: from the app's row until it can be expanded, because its files are found. */
  found: number[];
  /** From the click that expands it to its first payload. */
  unfolded: number[];
  /** From writing a file to its row. */
  written: number[];
}

const apps = 20;

/** Records when each row appears, when it can be expanded, and when the mouse was last pressed. Runs in the page. */
const watchLines = `(() => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  addEventListener('mousedown', () => { window.seen.click = now(); }, { capture: true });
  new MutationObserver(() => {
    for (const line of document.querySelectorAll('.label-name')) {
      window.seen[line.textContent] ??= now();
      const row = line.closest('[aria-expanded]');
      if (row) window.seen['folder ' + line.textContent] ??= now();
    }
  }).observe(document, { attributes: true, childList: true, subtree: true, characterData: true });
})()`;

/** Measures with `count` files in the folders of the apps. @param rounds how often the window is reloaded */
export async function measurePayloads(
  session: Session,
  count: number,
  rounds: number,
): Promise<PayloadTimes> {
  const ids = Array.from({ length: apps }, (_, index) => `app-${index}`);
  const files = Array.from({ length: count }, (_, index) => {
    const text = JSON.stringify({
      $runhook: { headers: { 'X-Number': String(index) } },
      prompt: 'x'.repeat(500),
    });
    return [fileOf(ids[index % apps]!, `call ${index}`), text] as const;
  });
  const workbench = await openWorkbench(session, {
    settings: { 'runhook.projects': [{ id: 'p', name: 'Acme', apps: ids.map((id) => ({ id })) }] },
    files: Object.fromEntries(files),
  });
  const times: PayloadTimes = { found: [], unfolded: [], written: [] };
  try {
    const { page } = workbench;
    const folder = new URL(page.url()).searchParams.get('folder')!;
    await page.addInitScript(watchLines);
    const seen = (label: string) =>
      waitFor(`${label} to be drawn`, () =>
        page.evaluate<number | undefined>(`window.seen[${JSON.stringify(label)}]`),
      );
    for (let round = 0; round < rounds; round += 1) {
      await page.reload();
      await workbench.ready();
      const tree = workbench.tree('Projects');
      await tree.row('app-0');
      const found = await seen('folder app-0');
      times.found.push(found - (await seen('app-0')));
      await tree.expand('app-0');
      times.unfolded.push((await seen('call 0')) - (await seen('click')));
      // The first row in alphabetical order.
      const name = `a new one ${round}`;
      const start = performance.timeOrigin + performance.now();
      await writeFile(join(folder, fileOf('app-0', name)), '{}');
      times.written.push((await seen(name)) - start);
    }
    return times;
  } finally {
    await workbench.close();
  }
}

function fileOf(app: string, name: string): string {
  return `.runhook/payloads/${app}/${name}.payload.json`;
}
