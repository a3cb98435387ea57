import { readFile } from 'node:fs/promises';
import { launchChromium } from '../../scripts/test/chromium.ts';
import { root } from '../../scripts/checkout.ts';
import { join } from 'node:path';

// `npm run bench:form` measures the time from a keystroke to the message beside the field, and the size of the form. It
// fails if a budget is exceeded.

const budgetMs = 16;
const budgetBytes = 350_000;
const keystrokes = 1000;

/** Stands in for VS Code's webview API and Runhook's host. Runs in the page. */
const host = `
  let state;
  const shown = {
    app: { projectId: 'p', appId: 'a' }, appName: 'hello', projectName: 'Acme', path: '/v2/projects/p/apps/a',
  };
  window.acquireVsCodeApi = () => ({
    getState: () => state,
    setState: (next) => { state = JSON.parse(JSON.stringify(next)); },
    postMessage: ({ kind, id }) => {
      if (kind === 'request') {
        window.postMessage({ kind: 'reply', id, gives: { content: { shown, fill: {} }, messages: {} } }, '*');
      }
    },
  });
  window.times = [];
  window.watch = () => {
    let pressedAt = 0;
    window.addEventListener('keydown', (event) => { pressedAt = event.timeStamp; }, { capture: true });
    const message = document.querySelector('[data-message-for="gpuCount"]');
    new MutationObserver(() => window.times.push(performance.now() - pressedAt))
      .observe(message, { childList: true, characterData: true, subtree: true });
  };`;

const files = ['dist/form.js', 'media/page.css', 'media/form.css', 'dist/codicons/codicon.css'];
const [script = '', ...styles] = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
const bytes = [script, ...styles].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

const browser = await launchChromium();
try {
  const page = await browser.newPage();
  await page.setContent('<!DOCTYPE html><html lang="en"><body><main id="form"></main></body></html>');
  for (const content of styles) await page.addStyleTag({ content });
  await page.addScriptTag({ content: host });
  await page.addScriptTag({ content: script });
  await page.locator('[data-field="gpuCount"] input').focus();
  await page.evaluate('window.watch()');
  for (let pressed = 0; pressed < keystrokes; pressed += 1) {
    await page.keyboard.press(pressed % 2 === 0 ? '9' : 'Backspace');
  }
  const times = (await page.evaluate<number[]>('window.times')).sort((a, b) => a - b);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Infinity;
  const shown = [0.5, 0.95, 0.99, 1].map((share) => `p${share * 100} ${at(share).toFixed(1)} ms`).join(', ');
  console.log(`keystroke to message: ${shown} (${times.length} of ${keystrokes} keystrokes)`);
  console.log(`script and styles: ${(bytes / 1000).toFixed(1)} KB`);
  if (times.length < keystrokes || at(0.99) > budgetMs || bytes > budgetBytes) process.exitCode = 1;
} finally {
  await browser.close();
}
