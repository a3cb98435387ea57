// Settings for the page of a workbench that a test drives. Most work through init scripts, which run in every frame
// before its own scripts: call them before `page.goto`.
import type { Page } from 'playwright-core';

/** User settings that let the workbench follow the system's colour scheme. */
export const themeSettings = {
  'window.autoDetectColorScheme': true,
  'workbench.preferredLightColorTheme': 'Default Light Modern',
  'workbench.preferredDarkColorTheme': 'Default Dark Modern',
};

const contrastScript = `
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    matchMedia.call(window, query.replace('(forced-colors: active)', '(prefers-contrast: more)'));
`;

/**
 * Lets `page.emulateMedia` change the theme of the workbench, which takes a sixth of the time of the theme picker.
 * `contrast: 'more'` selects the high contrast theme. VS Code itself looks at `forcedColors` for that, but forced
 * colours would also override the colours of webviews.
 */
export async function followSystemColors(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.addInitScript({ content: contrastScript });
}

/** The part of the DOM's globals that `takeScreenshot` uses; the scripts are compiled without DOM types. */
interface InPage {
  document: { adoptedStyleSheets: unknown[] };
}

const transparentPageScript = `
  if (window === window.top) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { opacity: 0 }');
    document.adoptedStyleSheets = [sheet];
  }
`;

/**
 * Makes a page transparent, so that the browser lays it out but does not paint it. Painting takes about half of the
 * processor time of a page. `takeScreenshot` still works.
 */
export async function skipPainting(page: Page): Promise<void> {
  await page.addInitScript({ content: transparentPageScript });
}

/** Takes a screenshot, also of a page that skips painting. @returns the PNG */
export async function takeScreenshot(page: Page): Promise<Buffer> {
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

/** Playwright's internal DevTools session with a page. Its public API cannot turn off network events. */
interface PageInternals {
  _connection: {
    toImpl(page: unknown): {
      delegate: { _mainFrameSession: { _client: { send(method: 'Network.disable'): Promise<unknown> } } };
    };
  };
}

/** The frame of the web worker extension host starts its worker first of all. */
const noExtensionHostWorkerScript = `
  if (window.frameElement?.src.includes('/webWorkerExtensionHostIframe.html')) {
    window.Worker = class {
      constructor() {
        throw new Error('No extension of these tests runs in the browser.');
      }
    };
  }
`;

/**
 * VS Code reads each WebSocket message as a `Blob` through a `FileReader`, which takes a round trip to the browser
 * process for every message.
 */
const arrayBufferScript = `
  window.WebSocket = class extends WebSocket {
    constructor(...options) {
      super(...options);
      this.binaryType = 'arraybuffer';
    }
  };
  const { readAsArrayBuffer } = FileReader.prototype;
  FileReader.prototype.readAsArrayBuffer = function (data) {
    if (data instanceof ArrayBuffer) queueMicrotask(() => this.onload({ target: { result: data } }));
    else readAsArrayBuffer.call(this, data);
  };
`;

/**
 * Makes the WebSockets of a page receive `ArrayBuffer`s instead of `Blob`s. This saves a quarter of the processor time
 * of a workbench that runs the editor tests.
 */
export async function receiveArrayBuffers(page: Page): Promise<void> {
  await page.addInitScript({ content: arrayBufferScript });
}

/**
 * Stops the network events from a page to Playwright, so `waitForRequest`, `waitForResponse` and `route` do not work
 * on it. A workbench talks to its server all the time, and the events take a tenth of the processor time.
 */
export async function disableNetworkEvents(page: Page): Promise<void> {
  const { _connection: connection } = page as unknown as PageInternals;
  await connection.toImpl(page).delegate._mainFrameSession._client.send('Network.disable');
}

/**
 * Keeps a workbench from starting its web worker extension host, which runs nothing here but receives every event. Do
 * not use it for the editor tests: their workbench needs that host.
 */
export async function disableBrowserExtensionHost(page: Page): Promise<void> {
  await page.addInitScript({ content: noExtensionHostWorkerScript });
}
