import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { waitFor } from '../../test/support/time/waitFor.ts';
import type { Workbench } from '../../test/support/workbench/workbench.ts';
import { root } from '../checkout.ts';

/** A step of the tour. */
export interface TourStep {
  /** The expected outcome, printed with the result. */
  name: string;
  /** Drives the UI as a user does. @returns the text it saw, which is printed */
  run(workbench: Workbench): Promise<string>;
  /** The name of the screenshot to take after the step, in every theme. */
  screenshot?: string;
  /** Restores, after a change of the theme, what the screenshot has to show. */
  show?(workbench: Workbench): Promise<void>;
  /** Closes what `show` has opened. */
  hide?(workbench: Workbench): Promise<void>;
}

/** The main use case, from an empty window to a verified delivery. */
export const tourSteps: readonly TourStep[] = [
  {
    name: 'the tree shows the sandbox with its keys',
    async run(workbench) {
      const projects = workbench.tree('Projects');
      await projects.row('Sandbox');
      const keys = await waitFor('keys under the service account', async () => {
        // Starting the sandbox refreshes the tree, which may collapse the row.
        await projects.expand('ci');
        const rows = await projects.rows();
        const below = rows.slice(rows.findIndex(({ label }) => label === 'ci') + 1);
        const end = below.findIndex(({ level }) => level < 3);
        const found = below.slice(0, end === -1 ? undefined : end);
        return found.some(({ description }) => /valid|expire/.test(description)) ? found : undefined;
      });
      return keys.map(({ label, description }) => `${label}: ${description}`).join('\n');
    },
    screenshot: 'projects',
  },
  {
    name: 'a bad value shows its message beside the field',
    async run(workbench) {
      const form = workbench.webview();
      const field = form.locator('[data-field="gpuCount"]');
      await workbench.tree('Projects').clickAction('hello', 'Edit App Settings', field);
      await form.locator('[data-field="gpuCount"] input').fill('2');
      await form.locator('[data-field="memory"] input').fill('4096');
      const message = form.locator('[data-message-for="memory"]');
      const text = await waitFor('a message under memory', async () => (await message.innerText()).trim());
      assert.match(text, /192/);
      return `memory 4096: ${text}`;
    },
    screenshot: 'settings-form',
  },
  {
    name: 'a good value is applied',
    async run(workbench) {
      const form = workbench.webview();
      await form.locator('[data-field="memory"] input').fill('64');
      await waitFor('the message to go', async () => {
        return (await form.locator('[data-message-for="memory"]').innerText()).trim() === '';
      });
      await form.locator('[data-action="apply"]').click();
      const status = form.locator('[data-status].done');
      await status.waitFor();
      return (await status.innerText()).trim();
    },
    screenshot: 'settings-applied',
  },
  {
    name: 'the listener listens',
    async run(workbench) {
      await workbench.runCommand('Runhook: Start Webhook Listener');
      await workbench.runCommand('Runhook: Show Deliveries Output');
      return workbench.outputLine(/listens on http:\/\/127\.0\.0\.1:\d+/);
    },
  },
  {
    name: 'an app runs with its webhook',
    async run(workbench) {
      // The picture shows what is sent.
      const payload = workbench.page.locator('.tab.active', { hasText: 'echo.payload.json' });
      await workbench.tree('Projects').pickFromContextMenu('echo', 'Open Payload', payload);
      await workbench.tree('Projects').run('echo');
      const row = await waitFor('the delivery in its view', async () => {
        return (await workbench.tree('Deliveries').rows()).find(({ label }) => label.includes('echo'));
      });
      return `${row.label} ${row.description}`;
    },
  },
  {
    name: 'the response says that it was delivered',
    run: (workbench) => workbench.editorLine(/· ✓ verified/),
  },
  {
    name: 'the delivery is verified in the output panel',
    // A webhook that arrives before the run's answer is logged before its app is known.
    run: (workbench) => workbench.outputLine(/verified\s+(?:echo|—)\s+run-/),
    show: waitForLenses,
    screenshot: 'deliveries',
  },
  {
    name: 'the answer has the screen, with its run id and its delivery',
    async run(workbench) {
      await workbench.runCommand('View: Hide Panel');
      await waitForLenses(workbench);
      return workbench.editorLine(/^200 OK · /);
    },
    show: waitForLenses,
    screenshot: 'run',
  },
  {
    name: 'the delivery opens from its run',
    async run(workbench) {
      const body = /^ {2}"body": \{/;
      await workbench.click(lens(workbench, 'Delivery: verified · Open'), async () =>
        (await workbench.editorLines()).some((line) => body.test(line)),
      );
      await lens(workbench, 'Explain').waitFor();
      await waitFor('its headers to be folded', async () =>
        (await workbench.editorLines()).every((line) => !line.includes('"content-type"')),
      );
      return workbench.editorLine(body);
    },
    screenshot: 'run-delivery',
  },
  {
    name: 'the sandbox simulates a fault',
    async run(workbench) {
      await workbench.runCommand('Runhook: Simulate Sandbox Faults…');
      await workbench.quickPick('stale-timestamp').click();
      await workbench.quickInput().press('Enter');
      await workbench.quickInput().waitFor({ state: 'hidden' });
      await workbench.runCommand('View: Close All Editors');
      // It runs with its webhook again, as before.
      const stale = async () =>
        (await workbench.tree('Deliveries').rows()).find(({ description }) =>
          description.startsWith('stale'),
        );
      await workbench.tree('Projects').clickAction('echo', 'Run with Webhook', stale);
      const row = await waitFor('the stale delivery', stale);
      return `${row.label} ${row.description}`;
    },
    async show(workbench) {
      await workbench.runCommand('Runhook: Simulate Sandbox Faults…');
      await workbench.quickPick('latency').waitFor();
    },
    async hide(workbench) {
      await workbench.page.keyboard.press('Escape');
      await workbench.quickInput().waitFor({ state: 'hidden' });
    },
    screenshot: 'sandbox-faults',
  },
  {
    name: 'the explanation says why it does not verify',
    async run(workbench) {
      const projects = workbench.tree('Projects');
      const isReset = () => projects.shows('Sandbox');
      await projects.pickFromContextMenu('Sandbox ⚠ stale-timestamp', 'Reset Sandbox', isReset);
      await workbench.runCommand('View: Close All Editors');
      await workbench.runCommand('Runhook: Explain Delivery');
      const delivery = workbench.page
        .locator('.quick-input-widget:visible')
        .getByText(/^stale\b/)
        .first();
      const reason = workbench.webview().locator('.reason').first();
      await workbench.click(delivery, reason);
      return reason.innerText();
    },
    screenshot: 'explanation',
  },
  {
    name: 'an answer streams',
    async run(workbench) {
      await workbench.runCommand('View: Close All Editors');
      const payload = workbench.page.locator('.tab.active', { hasText: 'stream.payload.json' });
      await workbench.tree('Projects').pickFromContextMenu('stream', 'Open Payload', payload);
      await workbench.focusEditor();
      await workbench.page.keyboard.press('Control+Home');
      await workbench.page.keyboard.press('ArrowRight');
      await workbench.page.keyboard.insertText('"count": 5000, "seconds": 0.5');
      await workbench.editorLine(/^\{"count": 5000, "seconds": 0\.5\}$/);
      await workbench.click(lens(workbench, /^\s*Run$/), async () =>
        (await workbench.editorLines()).some((line) => line.includes('"number":1,')),
      );
      await workbench.editorLine(/"number":3,/);
      await lens(workbench, /Cancel/).waitFor();
      return workbench.editorLine(/^200 OK · headers after/);
    },
    screenshot: 'run-streaming',
  },
  {
    name: 'it is cancelled',
    async run(workbench) {
      await workbench.click(lens(workbench, /Cancel/), async () =>
        (await workbench.editorLines()).some((line) => line.includes('cancelled')),
      );
      return workbench.editorLine(/cancelled/);
    },
  },
  {
    name: 'the walkthrough shows its steps with their pictures',
    async run(workbench) {
      await workbench.runCommand('View: Close All Editors');
      await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
      await workbench.runCommand('Welcome: Open Walkthrough...');
      const step = workbench.page.locator('.getting-started-step', { hasText: 'Try the sandbox' }).first();
      await workbench.click(workbench.quickPick('Get Started with Runhook'), step);
      await workbench.page.locator('.getting-started-media img').first().waitFor();
      return (await step.innerText()).trim();
    },
    screenshot: 'walkthrough',
  },
  {
    name: 'the walkthrough breaks a delivery, and has it explained',
    async run(workbench) {
      const { page } = workbench;
      await page.locator('.getting-started-step', { hasText: 'Break it, and see why' }).first().click();
      await page.getByRole('button', { name: 'Send a Delivery That Does Not Verify' }).click();
      const reason = workbench.webview().locator('.reason').first();
      await reason.waitFor();
      return reason.innerText();
    },
  },
];

/** Waits for the code lenses of the payload and of its answer. */
async function waitForLenses(workbench: Workbench): Promise<void> {
  await lens(workbench, 'Delivery: verified · Open').waitFor();
  await lens(workbench, 'Payloads…').waitFor();
}

/** A code lens. */
function lens(workbench: Workbench, text: string | RegExp): Locator {
  return workbench.page.locator('.part.editor .codelens-decoration a').filter({ hasText: text });
}

/** The files of the tour's workspace. */
export const tourFiles = {
  'README.md': readFileSync(join(root, 'test', 'fixtures', 'demo-workspace', 'README.md'), 'utf8'),
};

/** User settings for good screenshots. */
export const tourSettings = {
  // Placeholders that the Add Project dialog shows. No request is sent there.
  'runhook.baseUrl': 'https://api.example.com',
  'runhook.proxyUrl': 'https://run.example.com',
  'breadcrumbs.enabled': false,
  'editor.minimap.enabled': false,
  'editor.wordWrap': 'on',
  'window.title': '${rootName}',
};
