import type { Page } from 'playwright-core';

/** Settings of a window that takes its theme from the system. */
export const themeSettings = {
  'window.autoDetectColorScheme': true,
  'workbench.preferredLightColorTheme': 'Default Light Modern',
  'workbench.preferredDarkColorTheme': 'Default Dark Modern',
};

/** Runs in each frame, before what it loads. */
const moreContrast = `
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
  await page.addInitScript({ content: moreContrast });
}

/** What the page has and Node has not. */
interface InPage {
  document: { adoptedStyleSheets: unknown[] };
}

/** Runs in each frame, before what it loads. */
const transparent = `
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
  await page.addInitScript({ content: transparent });
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

/** Playwright's own session with a page. It is not part of its interface, which has no call for what is needed. */
interface WithSession {
  _connection: {
    toImpl(page: unknown): {
      delegate: { _mainFrameSession: { _client: { send(method: 'Network.disable'): Promise<unknown> } } };
    };
  };
}

/** Runs in each frame, before what it loads. The frame of that extension host makes a worker first of all. */
const noWorker = `
  if (window.frameElement?.src.includes('/webWorkerExtensionHostIframe.html')) {
    window.Worker = class {
      constructor() {
        throw new Error('No extension of these tests runs in the browser.');
      }
    };
  }
`;

/**
 * Runs in each frame, before what it loads. A workbench reads what comes as a `Blob`, by a `FileReader`: every message
 * goes round by the browser's own process for that.
 */
const buffers = `
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
 * Has what the sockets of a page receive in its hands at once: that takes a quarter of the processor from a workbench that
 * runs the editor tests. Call it before the page goes anywhere.
 */
export async function leaveBlobs(page: Page): Promise<void> {
  await page.addInitScript({ content: buffers });
}

/**
 * Has a page not tell Playwright of what it sends and gets. A workbench talks with its server all the time, and to tell
 * of it takes a tenth of the processor. Nobody may wait for requests or responses of such a page.
 */
export async function leaveUntold(page: Page): Promise<void> {
  const { _connection: connection } = page as unknown as WithSession;
  await connection.toImpl(page).delegate._mainFrameSession._client.send('Network.disable');
}

/**
 * Has a workbench do without the extension host of the browser, where nothing of these tests runs: it is told all that
 * the other one is told. Call it before the page goes anywhere; a workbench that runs the editor tests needs it.
 */
export async function leaveBrowserHost(page: Page): Promise<void> {
  await page.addInitScript({ content: noWorker });
}
