import type { Page } from 'playwright-core';

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
