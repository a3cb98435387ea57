import assert from 'node:assert/strict';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from '../../src/service/signature/signature.ts';
import { pageFrame, axeViolations } from '../support/workbench/pageFrame.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { themeNames } from '../support/workbench/workbench.ts';

const secret = 'the secret of this test';

/** Sends a delivery signed with `key`; resolves with the status. */
function deliver(port: number, key: string, requestId: string, body: string): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1000).toString();
  const headers = {
    'X-Request-Id': requestId,
    'X-Service-Webhook-Timestamp': timestamp,
    'X-Service-Webhook-Signature': `v1,${sign(key, requestId, timestamp, Buffer.from(body))}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

describe('the listener on the screen', () => {
  let app: Server;
  let status = 204;
  const settings: Record<string, unknown> = { 'security.workspace.trust.enabled': false };
  before(async () => {
    app = createServer((received, response) =>
      received.resume().on('end', () => response.writeHead(status).end()),
    );
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
    settings['runhook.listener.forwardTo'] = `http://127.0.0.1:${(app.address() as AddressInfo).port}/hook`;
  });
  after(() => new Promise((resolve) => app.close(resolve)));
  // Wide enough for a line to be one line on the screen.
  const ui = useWorkbench({ settings, size: { width: 2000, height: 900 } });
  let port = 0;
  /** How many need a look, as the side bar and the status bar say. */
  const toLookAt = async (count: number): Promise<void> => {
    const badge = ui.current.page.locator('.activitybar .badge-content:visible', { hasText: String(count) });
    await badge.waitFor();
    await ui.current.statusBarItem(new RegExp(`${port}.* ${count}\\s*$`)).waitFor();
  };
  const nothingToLookAt = async (): Promise<void> => {
    await ui.current.page.locator('.activitybar .badge-content:visible').waitFor({ state: 'hidden' });
  };

  before('starts the listener', async () => {
    const workbench = ui.current;
    await workbench.runCommand('Runhook: Set Webhook Secret…');
    const question = workbench.page.locator('.quick-input-widget:visible input[type="password"]');
    await question.waitFor();
    await workbench.answer(secret);
    await question.waitFor({ state: 'hidden' });
    await workbench.runCommand('Runhook: Show Deliveries Output');
    await workbench.runCommand('Runhook: Start Webhook Listener');
    const line = await workbench.outputLine(/listens on/);
    port = Number(/127\.0\.0\.1:(\d+)/.exec(line)?.[1]);
    await workbench.statusBarItem(port.toString()).waitFor();
  });

  it('writes a line for what verified, with what the local app answered', async () => {
    assert.equal(await deliver(port, secret, 'r-1', '{"run_id":"run-8f3c21"}'), 200);
    const line = await ui.current.outputLine(/run-8f3c21/);
    assert.match(
      line,
      /^\d\d:\d\d:\d\d\.\d{3} {2}✓ verified +– +run-8f3c21 +200 +23 B +→ 127\.0\.0\.1:\d+ 204 in \d+ ms/,
    );
  });

  it('says why a delivery does not verify', async () => {
    assert.equal(await deliver(port, `${secret}\n`, 'r-2', '{"run_id":"run-8f3c22"}'), 401);
    assert.match(await ui.current.outputLine(/run-8f3c22/), /✗ mismatch .* 401 .*newline.*\(Explain\)/);
    await toLookAt(1);
  });

  it('shows a repeat as one, not forwarded again', async () => {
    assert.equal(await deliver(port, secret, 'r-1', '{"run_id":"run-8f3c21"}'), 200);
    const line = await ui.current.outputLine(/↻/);
    assert.match(line, /↻ verified .*run-8f3c21 .* repeat of \d\d:\d\d:\d\d\.\d{3}; not forwarded again/);
  });

  it('lets no delivery forge a line of its own', async () => {
    const before = (await ui.current.outputLines()).length;
    const runId = 'r\n12:04 ✓ \u202everified';
    assert.equal(await deliver(port, secret, 'r-9', JSON.stringify({ run_id: runId })), 200);
    assert.match(await ui.current.outputLine(/r·12:04/), /✓ verified +– +r·12:04 ✓ ·… +200 /);
    assert.equal((await ui.current.outputLines()).length, before + 1);
  });

  it('opens a delivery from its line', async () => {
    const link = ui.current.outputLinks('run-8f3c22').first();
    const isOpen = async () => (await ui.current.editorText()).includes('"verdict": "mismatch"');
    await ui.current.click(link, isOpen, ['ControlOrMeta']);
    await nothingToLookAt();
  });

  it('explains one from its line, and shows the expected signature to who asks: nobody can select it', async () => {
    const link = ui.current.outputLinks('run-8f3c22').filter({ hasText: 'Explain' });
    const cause = ui.current.webview().getByText('Newline after secret');
    await ui.current.click(link, cause, ['ControlOrMeta']);
    const expected = ui.current.webview().locator('[data-signature="expected"]');
    assert.equal(await expected.innerText(), 'hidden');
    await ui.current.click(
      ui.current.webview().getByRole('button', { name: 'Show Signatures' }),
      ui.current.webview().getByRole('group', { name: /^expected: \d+ of 64 digits differ$/ }),
    );
    assert.match((await expected.innerText()).replaceAll(/\s/g, ''), /^v1,[0-9a-f]{64}$/);
    const frame = await pageFrame(ui.current, 'explanation');
    // Its button is gone: what it has shown has the focus.
    assert.equal(await frame.evaluate('document.activeElement.className'), 'signatures');
    const row = "document.querySelector('[data-signature=expected]')";
    assert.equal(await frame.evaluate(`getComputedStyle(${row}).userSelect`), 'none');
    for (const theme of themeNames) {
      await ui.current.setTheme(theme);
      await ui.current.picture(`explanation ${theme}`);
      assert.deepEqual(await axeViolations(frame), [], theme);
    }
  });

  it('counts what needs a look until the view shows it', async () => {
    status = 500;
    assert.equal(await deliver(port, secret, 'r-4', '{"run_id":"run-8f3c24"}'), 200);
    // It is forwarded once it is answered.
    await ui.current.outputLine(/run-8f3c24 .*→ .* 500 in/);
    status = 204;
    assert.equal(await deliver(port, secret, 'r-5', '{"run_id":"run-8f3c25"}'), 200);
    assert.equal(await deliver(port, 'another', 'r-6', '{"run_id":"run-8f3c26"}'), 401);
    await toLookAt(2);
    await ui.current.pictures('listener output');
  });

  it('listens again on the same port after a reload, and still has what it took', async () => {
    const { page } = ui.current;
    await page.reload();
    await ui.current.ready();
    await nothingToLookAt();
    // The window has lost its secret, since this server keeps none; the program has not.
    assert.equal(await deliver(port, secret, 'r-3', '{"run_id":"run-8f3c23"}'), 200);
    await ui.current.runCommand('Runhook: Show Deliveries Output');
    await ui.current.outputLine(/run-8f3c23/);
    const labels = await waitFor('the deliveries', async () => {
      const rows = await ui.current.tree('Deliveries').rows();
      return rows.length > 1 ? rows.map(({ label }) => label) : undefined;
    });
    assert.ok(labels.length > 1);
    await nothingToLookAt();
  });

  it('stops from the status bar', async () => {
    await ui.current.click(ui.current.statusBarItem(port.toString()), ui.current.quickPick('Stop'));
    await ui.current.click(ui.current.quickPick('Stop'), async () =>
      (await ui.current.outputLines()).some((line) => line.includes('The listener has stopped')),
    );
    await assert.rejects(deliver(port, secret, 'r-3', '{}'), { code: 'ECONNREFUSED' });
  });
});
