import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Theme, themeNames } from '../../test/support/workbench/workbench.ts';
import { palettePng } from './palettePng.ts';

/** The frames of the strip: the screenshot, its caption, and the offset of the part to show. */
const frames = [
  { screenshot: 'loop-1-fails', caption: '1  It fails: the row says so', corner: '-48px -358px' },
  { screenshot: 'loop-2-line', caption: '2  The line that failed', corner: '-478px -30px' },
  { screenshot: 'loop-3-edited', caption: '3  Edit and Replay', corner: '-478px -30px' },
  { screenshot: 'loop-4-mended', caption: '4  Mended: the last attempt counts', corner: '-48px -358px' },
  { screenshot: 'loop-5-compared', caption: '5  Two deliveries compared', corner: '-478px -30px' },
  { screenshot: 'loop-6-timeline', caption: '6  What happened when', corner: '-478px -66px' },
  { screenshot: 'loop-7-here', caption: '7  Without a public address: Deliver Here', corner: '-48px -190px' },
  { screenshot: 'loop-8-made', caption: '8  Made here, and marked as such', corner: '-48px -358px' },
];

const colours = {
  light: { paper: '#ffffff', ink: '#1f1f1f', line: '#d0d0d0' },
  dark: { paper: '#1f1f1f', ink: '#dddddd', line: '#444444' },
  highContrast: { paper: '#000000', ink: '#ffffff', line: '#6fc3df' },
} as const satisfies Record<Theme, object>;

/**
 * Combines the screenshots of the loop into one picture per theme, `loop-<theme>.png`.
 * @param from the folder of the screenshots
 * @param to the folder of the pictures
 */
export async function drawLoopStrips(browser: Browser, from: string, to: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1180, height: 400 } });
  for (const theme of themeNames) {
    const { paper, ink, line } = colours[theme];
    const figures = await Promise.all(
      frames.map(async ({ screenshot, caption, corner }) => {
        const png = await readFile(join(from, `${screenshot}-${theme}.png`), 'base64');
        return `<figure><figcaption>${caption}</figcaption><div style="background: ${corner} / auto no-repeat
          url(data:image/png;base64,${png})"></div></figure>`;
      }),
    );
    await page.setContent(`<style>
      body { margin: 0; padding: 12px; display: grid; grid-template-columns: 1fr 1fr; gap: 12px;
        font: 600 15px system-ui, sans-serif; background: ${paper}; color: ${ink} }
      figure { margin: 0 } figcaption { padding-bottom: 6px }
      div { height: 270px; border: 1px solid ${line} }
    </style>${figures.join('')}`);
    const picture = await page.screenshot({ fullPage: true });
    await writeFile(join(to, `loop-${theme}.png`), palettePng(picture));
  }
  await page.close();
}
