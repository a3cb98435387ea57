import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { root } from '../../scripts/checkout.ts';
import { join } from 'node:path';
import { percentile } from './statistics.ts';

// Measures the time from a keystroke to the message beside the field, and the size of the form.

const budgetMs = 16;
const budgetBytes = 350_000;

/** Stands in for VS Code's webview API and Runhook's host. Runs in the page. */
const host = `
  let state;
  const shown = {
    app: { projectId: 'p', appId: 'a' }, appName: 'hello', projectName: 'Acme', path: '/v2/projects/p/apps/a',
  };
  window.acquireVsCodeApi = () => ({
    getState: () => state,
    setState: (next) => { state = JSON.parse(JSON.stringify(next)); },
    // A call as birpc sends it, and the answer to it.
    postMessage: ({ t, i }) => {
      const content = { shown, fill: {}, isApplying: false };
      if (t === 'q') window.postMessage({ t: 's', i, r: { content, messages: {} } }, '*');
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

export async function formKeystroke(
  browser: Browser,
  keystrokes: number,
): Promise<{ lines: string[]; withinBudget: boolean }> {
  const [script = '', ...styles] = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  const bytes = [script, ...styles].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const page = await browser.newPage();
  try {
    await page.setContent('<!DOCTYPE html><html lang="en"><body><main id="form"></main></body></html>');
    for (const content of styles) await page.addStyleTag({ content });
    await page.addScriptTag({ content: host });
    await page.addScriptTag({ content: script });
    await page.locator('[data-field="gpuCount"] input').focus();
    await page.evaluate('window.watch()');
    for (let pressed = 0; pressed < keystrokes; pressed += 1) {
      await page.keyboard.press(pressed % 2 === 0 ? '9' : 'Backspace');
    }
    const times = await page.evaluate<number[]>('window.times');
    const shown = [0.5, 0.95, 0.99, 1].map(
      (part) => `p${part * 100} ${percentile(times, part).toFixed(1)} ms`,
    );
    if (times.length < keystrokes)
      throw new Error(`${times.length} of ${keystrokes} keystrokes had a message.`);
    return {
      lines: [
        `keystroke to message: ${shown.join(', ')}, goal p99 ${budgetMs} ms`,
        `script and styles: ${(bytes / 1000).toFixed(1)} KB, goal ${budgetBytes / 1000} KB`,
      ],
      withinBudget: percentile(times, 0.99) <= budgetMs && bytes <= budgetBytes,
    };
  } finally {
    await page.close();
  }
}
