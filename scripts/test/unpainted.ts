import type { Page } from 'playwright-core';

/** What the page has and Node has not. */
interface InPage {
  document: { adoptedStyleSheets: unknown[] };
}

const script = `
  if (window === window.top) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { opacity: 0 }');
    document.adoptedStyleSheets = [sheet];
  }
`;

/**
 * Has a page laid out like any other and not painted, which takes as much of the processor as the rest of it. It is for
 * a page that nobody looks at. Call it before the page goes anywhere.
 */
export async function leaveUnpainted(page: Page): Promise<void> {
  await page.addInitScript({ content: script });
}

/** Takes a picture of a page, which is painted for that. @returns the bytes of the PNG */
export async function picture(page: Page): Promise<Buffer> {
  const sheets = await page.evaluateHandle(() => {
    const { document } = globalThis as unknown as InPage;
    return document.adoptedStyleSheets.splice(0);
  });
  try {
    return await page.screenshot({ animations: 'disabled', caret: 'hide' });
  } finally {
    await page.evaluate((before) => {
      const { document } = globalThis as unknown as InPage;
      document.adoptedStyleSheets.push(...before);
    }, sheets);
  }
}
