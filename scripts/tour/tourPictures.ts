import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { type Theme, themeNames, type Workbench } from '../../test/support/workbench/workbench.ts';
import { whilePainted } from '../test/workbenchPage.ts';
import { palettePng } from './palettePng.ts';

/** A picture for the walkthrough, cut out of a screenshot. */
export interface TourPicture {
  /** The id of the walkthrough step. */
  name: string;
  /** Pixels around the parts. */
  margin?: number;
  /** The elements to show. */
  parts: (workbench: Workbench) => Promise<Locator[]>;
  /** Prepares the window for the picture; `close` undoes it. */
  open?: (workbench: Workbench) => Promise<void>;
  close?: (workbench: Workbench) => Promise<void>;
}

export const tourPictures = {
  sandbox: {
    name: 'sandbox',
    parts: async (workbench) => [await workbench.tree('Projects').open()],
  },
  project: {
    name: 'project',
    open: async (workbench) => {
      await workbench.runCommand('Runhook: Add Project…');
      await workbench.page.locator('.quick-input-widget:visible', { hasText: 'Id of the project' }).waitFor();
    },
    parts: (workbench) => Promise.resolve([workbench.page.locator('.quick-input-widget:visible')]),
    close: async (workbench) => {
      await workbench.page.keyboard.press('Escape');
      await workbench.quickInput().waitFor({ state: 'hidden' });
    },
  },
  token: {
    name: 'token',
    parts: async (workbench) => {
      const projects = workbench.tree('Projects');
      return [await projects.row('ci'), await projects.row('nightly')];
    },
  },
  explanation: {
    name: 'explanation',
    margin: 8,
    parts: (workbench) => Promise.resolve([workbench.webview().locator('header')]),
  },
  webhook: {
    name: 'webhook',
    parts: (workbench) => Promise.resolve([workbench.page.locator('.part.panel')]),
  },
} satisfies Record<string, TourPicture>;

/** The walkthrough enlarges its pictures. A higher scale would make the package too large. */
const scale = 1.5;

/** Renders a part of the page at a higher scale. */
async function captureEnlarged(
  workbench: Workbench,
  clip: { x: number; y: number; width: number; height: number },
): Promise<Buffer> {
  // Otherwise the blinking caret makes pictures differ at random.
  const style = await workbench.page.addStyleTag({ content: '* { caret-color: transparent !important; }' });
  const session = await workbench.page.context().newCDPSession(workbench.page);
  const { data } = await whilePainted(workbench.page, () =>
    session.send('Page.captureScreenshot', { format: 'png', clip: { ...clip, scale } }),
  );
  await session.detach();
  await style.evaluate((element: { remove?(): void }) => element.remove?.());
  return Buffer.from(data, 'base64');
}

/** Takes a picture in the current theme. */
export async function takePicture(
  workbench: Workbench,
  picture: TourPicture,
  theme: Theme,
  folder: string,
): Promise<void> {
  await picture.open?.(workbench);
  const boxes = [];
  for (const part of await picture.parts(workbench)) {
    await part.waitFor();
    const box = await part.boundingBox();
    if (box !== null) boxes.push(box);
  }
  const { margin = 0 } = picture;
  const x = Math.min(...boxes.map((box) => box.x)) - margin;
  const y = Math.min(...boxes.map((box) => box.y)) - margin;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + margin;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + margin;
  const clip = { x: Math.max(0, x), y: Math.max(0, y), width: right - x, height: bottom - y };
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, `${picture.name}-${theme}.png`),
    palettePng(await captureEnlarged(workbench, clip)),
  );
  await picture.close?.(workbench);
}

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
