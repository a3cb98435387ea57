import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbench } from '../support/openWorkbench.ts';
import type { Session } from '../support/session.ts';
import { waitFor } from '../support/waitFor.ts';

/** How soon payload files of the workspace are in the page, in milliseconds. */
export interface PayloadTimes {
  /** Since an app was unfolded, by a click as soon as it was drawn in a window that has just been opened. */
  unfolded: number[];
  /** Since the app was drawn: the files are looked for from then on. */
  looked: number[];
  /** Since a file was written to the disk. */
  written: number[];
}

const apps = 20;

/** Tells when the app and the first of its payloads are in the page, and when it was clicked. Runs in the page. */
const watchLines = `(() => {
  window.seen = {};
  const now = () => performance.timeOrigin + performance.now();
  addEventListener('mousedown', () => { window.seen.clicked = now(); }, { capture: true });
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.label-name')) window.seen[textContent] ??= now();
  }).observe(document, { childList: true, subtree: true, characterData: true });
})()`;

/** Measures with `count` files, spread over the folders of apps. @param rounds how many windows are opened */
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
  const times: PayloadTimes = { unfolded: [], looked: [], written: [] };
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
      await workbench.tree('Projects').expand('app-0');
      const drawn = await seen('call 0');
      times.unfolded.push(drawn - (await seen('clicked')));
      times.looked.push(drawn - (await seen('app-0')));
      // The first in the alphabet.
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
