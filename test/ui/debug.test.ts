import assert from 'node:assert/strict';
import { Receiver } from '../support/http/receiver.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

const secret = 'the secret of the handler';
const handler = `const { createHmac } = require('node:crypto');
const { createServer } = require('node:http');

function isGenuine(headers, body) {
  const signed = [headers['x-request-id'], headers['x-service-webhook-timestamp'], body].join('.');
  const digest = createHmac('sha256', process.env.WEBHOOK_SECRET).update(signed).digest('hex');
  return headers['x-service-webhook-signature'] === 'v1,' + digest;
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  if (!isGenuine(request.headers, body)) {
    response.writeHead(401);
  } else {
    response.writeHead(200);
  }
  if (request.url === '/elsewhere') {
    response.write('It is moved.');
  }
  response.end();
});
server.listen(Number(process.env.PORT), '127.0.0.1');
`;
const line = (text: string): number => handler.split('\n').findIndex((one) => one.includes(text)) + 1;

describe('the code of a handler', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let broken: Receiver;
  const settings: Record<string, unknown> = { 'security.workspace.trust.enabled': false };
  const files: Record<string, string> = {
    'handler.cjs': handler,
    'payment.delivery.json': '{ "body": {}, "variants": ["as it is", "bad-signature"] }',
  };
  before(async () => {
    broken = await Receiver.start();
    settings['runhook.listener.forwardTo'] = `${broken.url}/hook`;
    const one = {
      name: 'The Handler',
      type: 'node',
      request: 'launch',
      program: '${workspaceFolder}/handler.cjs',
    };
    const env = { PORT: new URL(broken.url).port, WEBHOOK_SECRET: '${command:runhook.webhookSecret}' };
    files['.vscode/launch.json'] = JSON.stringify({ version: '0.2.0', configurations: [{ ...one, env }] });
  });
  const ui = useWorkbench({ settings, files, builtIns: ['ms-vscode.js-debug'] });
  const deliveries = () => ui.current.tree('Deliveries');
  const rowThat = (says: RegExp) =>
    waitFor(`a row that says ${String(says)}`, async () =>
      (await deliveries().rows()).find(({ description }) => says.test(description)),
    );

  it('is stopped at by a delivery that failed, with two clicks', async () => {
    const { page } = ui.current;
    await ui.current.runCommand('Runhook: Set Webhook Secret…');
    await page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await ui.current.answer(secret);
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    const failed = `TypeError: body is undefined\n    at isGenuine (handler.cjs:${line('const digest')}:9)`;
    broken.otherwise = (_, response) => response.writeHead(500).end(failed);
    await ui.current.runCommand('Runhook: Send Test Delivery');
    const { label } = await rowThat(/^500 "body is undefined/);
    await waitFor('its line', async () => {
      await deliveries().expand(label);
      return deliveries().shows(`handler.cjs:${line('const digest')}`);
    });
    await broken.close();
    assert.ok((await deliveries().contextMenu(label)).includes('Debug This Delivery'));
    const lineOfIt = ui.current.webview().locator('[data-action="openFailure"]');
    await deliveries().pickFromContextMenu(label, 'Explain Delivery', lineOfIt);
    await ui.current.click(lineOfIt, page.locator('.tab.active', { hasText: 'handler.cjs' }));
    const lens = page.locator('.part.editor .codelens-decoration a', { hasText: /^\s*Debug$/ });
    await deliveries().clickRow(label, lens);
    await page.evaluate(`clicks = 0; addEventListener('mousedown', () => { clicks += 1; }, true)`);
    await lens.click();
    // Asked for once: what starts the handler, and where to stop without a breakpoint.
    await ui.current.quickPick('The Handler').waitFor();
    await page.keyboard.press('Enter');
    await ui.current.quickPick(`Stop at handler.cjs:${line('const digest')}`).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.debug-top-stack-frame-line').waitFor();
    const place = ui.current.statusBarItem(/Ln \d+, Col \d+/);
    assert.match(await place.innerText(), new RegExp(`Ln ${line('const digest')},`));
    assert.equal(await page.evaluate('clicks'), 1);
    await rowThat(/^waiting in handler · \d+ s$/);
    await ui.current.pictures('debug delivery');
    // The second one.
    await page.locator('.debug-toolbar .action-label[aria-label^="Continue"]').click();
    await rowThat(/^200 · /);
    await ui.current.runCommand('Debug: Stop');
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  });

  it('is marked where no fixture reaches it, in all and by variant', async () => {
    const { page } = ui.current;
    await ui.current.runCommand('Test: Run All Tests with Coverage');
    await ui.current.quickPick('The Handler').waitFor();
    await page.keyboard.press('Enter');
    const missed = async () => {
      const lines = page.locator('.margin-view-overlays > div', { has: page.locator('.coverage-deco-miss') });
      return (await lines.locator('.line-numbers').allInnerTexts())
        .map(Number)
        .sort((one, other) => one - other);
    };
    const shows = (...lines: number[]) =>
      waitFor(
        `the lines that nothing reached: ${lines.join()}`,
        async () => (await missed()).join() === lines.join(),
      );
    await shows(line('It is moved'));
    await ui.current.pictures('coverage');
    const filter = page.locator('.editor-actions .action-label[aria-label^="Filter Coverage to Test"]');
    const variant = page.locator('.quick-input-widget:visible .monaco-list-row', {
      hasText: 'bad-signature',
    });
    await ui.current.click(filter, variant);
    await variant.click();
    await shows(line('} else {'), line('writeHead(200)'), line('It is moved'));
    await ui.current.picture('coverage of a variant');
  });
});
