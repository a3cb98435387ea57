import type { Page } from 'playwright-core';

/** Settings of a window that takes its theme from the system. */
export const themeSettings = {
  'window.autoDetectColorScheme': true,
  'workbench.preferredLightColorTheme': 'Default Light Modern',
  'workbench.preferredDarkColorTheme': 'Default Dark Modern',
};

/** Runs in each frame, before what it loads. */
const script = `
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    matchMedia.call(window, query.replace('(forced-colors: active)', '(prefers-contrast: more)'));
`;

/**
 * Has a workbench change its theme with the system, which takes a sixth of what a choice in the palette takes, and have high
 * contrast where the system asks for more contrast. Of itself it does so where colours are forced: these go for webviews too,
 * which are to be seen in the colours of the theme. Call it before the page goes anywhere.
 */
export async function followSystemColors(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.addInitScript({ content: script });
}
