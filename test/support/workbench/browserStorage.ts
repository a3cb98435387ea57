import type { Page } from 'playwright-core';

/** The content of local storage, session storage and all IndexedDB databases of a page, as text. */
export async function readBrowserStorage(page: Page): Promise<string> {
  return String(await page.evaluate(script));
}

const script = `(async () => {
  const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
    });
    for (const store of database.objectStoreNames) {
      const values = await new Promise((resolve) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result);
      });
      const decode = (value) => (value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value));
      kept.push(...values.map(decode));
    }
    database.close();
  }
  return kept.join('\\n');
})()`;
