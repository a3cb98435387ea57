import assert from 'node:assert/strict';
import type { Receiver } from '../../test/support/http/receiver.ts';
import { waitFor } from '../../test/support/time/waitFor.ts';
import type { Workbench } from '../../test/support/workbench/workbench.ts';
import { tourFiles, tourSettings, type TourStep } from './tourSteps.ts';

/** The handler, which fails at its fourth line. */
export const loopFiles = {
  ...tourFiles,
  'handler.js': `import { createServer } from 'node:http';

function handle({ result }) {
  return result.prompt.length;
}

createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => response.end(String(handle(JSON.parse(body)))));
}).listen(3000);
`,
};

/** User settings that forward deliveries to a handler. */
export function loopSettings(handler: Receiver): Record<string, unknown> {
  return {
    ...tourSettings,
    'security.workspace.trust.enabled': false,
    'runhook.listener.forwardMode': 'passThrough',
    'runhook.listener.forwardTo': `${handler.url}/hook`,
  };
}

/**
 * Debugging a handler: it fails, the user finds the cause, tries another body, fixes the handler and checks it.
 * @param handler called by the steps, after the handler has started
 */
export function loopSteps(handler: () => Receiver): readonly TourStep[] {
  return [
    {
      name: 'the handler answers 500, and the row says so',
      async run(workbench) {
        const error = 'TypeError: result is undefined\n    at handle (handler.js:4:10)';
        handler().otherwise = (_, response) => response.writeHead(500).end(error);
        await workbench.tree('Projects').run('echo');
        const row = await waitForOutcome(workbench, /^500 "result is undefined"/);
        // So that it shows whole rows.
        await workbench.resizeSideBar(450);
        await workbench.runCommand('View: Close All Editors');
        return row;
      },
      screenshot: 'loop-1-fails',
    },
    {
      name: 'the line that failed is below it, and opens',
      async run(workbench) {
        const line = 'handler.js:4';
        await waitFor('the row of the line', async () => {
          await deliveries(workbench).expand('echo');
          return deliveries(workbench).shows(line);
        });
        const code = async () =>
          (await workbench.editorLines()).find((one) => one.includes('result.prompt.length'));
        await deliveries(workbench).clickRow(line, code);
        return waitFor('the line', code);
      },
      screenshot: 'loop-2-line',
    },
    {
      name: 'its answer opens beside the delivery',
      async run(workbench) {
        const answer = async () =>
          (await workbench.editorLines()).find((line) => line.startsWith('TypeError: result'));
        await deliveries(workbench).clickRow('echo', answer);
        return waitFor('the answer', answer);
      },
    },
    {
      name: 'it is edited and sent again',
      async run(workbench) {
        const before = handler().received.length;
        const send = lens(workbench, 'Send, Signed Now');
        await deliveries(workbench).pickFromContextMenu('echo', 'Edit and Replay', send);
        await workbench.focusEditor();
        await workbench.page.keyboard.press('Control+Home');
        await workbench.page.keyboard.press('ArrowDown');
        await workbench.page.keyboard.press('End');
        await workbench.page.keyboard.insertText('\n"tried": "another body",');
        handler().otherwise = 200;
        await workbench.click(send, () => handler().received.length > before);
        // The row goes on to say what became of the delivery as it came.
        await deliveries(workbench).expand('echo');
        return waitFor('the attempt', async () => {
          const rows = await deliveries(workbench).rows();
          return rows.find(({ description }) => description.startsWith('edited · '))?.label;
        });
      },
      screenshot: 'loop-3-edited',
    },
    {
      name: 'the handler is mended, and takes what came',
      async run(workbench) {
        const before = handler().received.length;
        await deliveries(workbench).clickAction('echo', 'Replay', () => handler().received.length > before);
        await waitForOutcome(workbench, /^200 · .* · replayed$/);
        await deliveries(workbench).expand('echo');
        const rows = await waitFor('its attempts', async () => {
          const attempts = (await deliveries(workbench).rows()).filter(({ label }) =>
            / in \d+ ms$/.test(label),
          );
          return attempts.length === 3 ? attempts : undefined;
        });
        return rows.map(({ label, description }) => `${label} ${description}`).join('\n');
      },
      screenshot: 'loop-4-mended',
    },
    {
      name: 'nothing is left that the handler refused',
      async run(workbench) {
        const line = workbench.page.locator('.quick-input-widget:visible .monaco-list-row', {
          hasText: 'All that failed in your handler',
        });
        await deliveries(workbench).pickFromTitleMenu('Replay Deliveries…', line);
        const text = (await line.innerText()).trim();
        assert.match(text, /none/);
        await workbench.page.keyboard.press('Escape');
        await workbench.quickInput().waitFor({ state: 'hidden' });
        return text;
      },
    },
    {
      name: 'it is compared with the next delivery of its app',
      async run(workbench) {
        // It runs with its webhook again, as before.
        await workbench.tree('Projects').clickAction('echo', 'Run with Webhook', async () => {
          const rows = (await deliveries(workbench).rows()).filter(({ label }) => label === 'echo');
          return rows.length === 2 && rows.every(({ description }) => /^200 · /.test(description));
        });
        await workbench.runCommand('View: Close All Editors');
        const diff = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line');
        const runId = diff.filter({ hasText: 'run_id' }).first();
        const rows = (await deliveries(workbench).open()).locator('.monaco-list-row[aria-level="1"]');
        for (const at of [0, 1]) await rows.nth(at).click({ modifiers: at === 0 ? [] : ['ControlOrMeta'] });
        await deliveries(workbench).pickFromContextMenu('echo', 'Compare', runId);
        return 'a diff of two deliveries';
      },
      screenshot: 'loop-5-compared',
    },
    {
      name: 'the timeline shows both runs',
      async run(workbench) {
        await workbench.runCommand('View: Close All Editors');
        const page = workbench.webview();
        const areDrawn = async () => (await page.locator('.lane').count()) === 2;
        await workbench.tree('Projects').pickFromContextMenu('echo', 'Show Timeline', areDrawn);
        return (await page.locator('h1').first().innerText()).trim();
      },
      screenshot: 'loop-6-timeline',
    },
    {
      name: 'a delivery is made here from the response of a run',
      async run(workbench) {
        await workbench.runCommand('View: Close All Editors');
        const projects = workbench.tree('Projects');
        await projects.expand('echo');
        const items = await projects.contextMenu(await latestRun(workbench));
        assert.ok(items.includes('Deliver Here'));
        return items.join('\n');
      },
      async show(workbench) {
        await (await workbench.tree('Projects').row(await latestRun(workbench))).click({ button: 'right' });
        await workbench.page.locator('.monaco-menu').getByText('Deliver Here').hover();
      },
      async hide(workbench) {
        await workbench.page.keyboard.press('Escape');
        await workbench.page.locator('.monaco-menu').waitFor({ state: 'hidden' });
      },
      screenshot: 'loop-7-here',
    },
    {
      name: 'it is marked as made here',
      async run(workbench) {
        const made = async () =>
          (await deliveries(workbench).rows()).find(({ description }) =>
            /^made here · 200 /.test(description),
          );
        const run = await latestRun(workbench);
        await workbench.tree('Projects').pickFromContextMenu(run, 'Deliver Here', made);
        const row = await waitFor('the delivery', made);
        return `${row.label} ${row.description}`;
      },
      screenshot: 'loop-8-made',
    },
  ];
}

/** The label of the newest run that the handler took: when it was. */
async function latestRun(workbench: Workbench): Promise<string> {
  const row = await waitFor('a run that the handler took', async () =>
    (await workbench.tree('Projects').rows()).find(
      ({ label, description }) => /^[\d:]+$/.test(label) && description === 'handler 200',
    ),
  );
  return row.label;
}

function deliveries(workbench: Workbench) {
  return workbench.tree('Deliveries');
}

function lens(workbench: Workbench, hasText: string) {
  return workbench.page.locator('.part.editor .codelens-decoration a', { hasText }).first();
}

/** Waits for a row of the app echo whose description matches. @returns the text of the row */
async function waitForOutcome(workbench: Workbench, words: RegExp): Promise<string> {
  const row = await waitFor(`a delivery of echo, ${String(words)}`, async () =>
    (await deliveries(workbench).rows()).find(
      ({ label, description }) => label === 'echo' && words.test(description),
    ),
  );
  return `${row.label} ${row.description}`;
}
