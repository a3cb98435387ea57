import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workFolder } from '../../scripts/checkout.ts';
import { runtimeEnv } from '../../scripts/test/receiverRuntimes.ts';
import { Receiver } from '../support/http/receiver.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';

const handler = `import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200 if body is not None else 500)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
`;
const line = handler.split('\n').findIndex((one) => one.includes('json.loads')) + 1;

const debugEnv = runtimeEnv('Python debugger');

/** An extension that starts the real debugger, as the one of the marketplace does, which no test can install. */
function pythonExtension(env: NodeJS.ProcessEnv): object {
  const variables = ['PATH', 'PYTHONPATH', 'LD_LIBRARY_PATH'].map((name) => `${name}=${env[name] ?? ''}`);
  return {
    ...{ name: 'debugpy', publisher: 'ms-python', version: '1.0.0', engines: { vscode: '*' } },
    contributes: {
      languages: [{ id: 'python', extensions: ['.py'] }],
      breakpoints: [{ language: 'python' }],
      debuggers: [
        { type: 'debugpy', runtime: 'env', runtimeArgs: [...variables, 'python3', '-m', 'debugpy.adapter'] },
      ],
    },
  };
}

describe(`the code of a handler in Python${debugEnv ? '' : ', whose debugger is not here'}`, () => {
  if (debugEnv === undefined) {
    it('is not stopped at: python3-debugpy of Debian cannot be had on this machine', () => undefined);
    return;
  }
  let broken: Receiver;
  let extension: string;
  const settings: Record<string, unknown> = { 'security.workspace.trust.enabled': false };
  const files: Record<string, string> = { 'handler.py': handler };
  const unpacked: string[] = [];
  before(async () => {
    broken = await Receiver.start();
    settings['runhook.listener.forwardTo'] = `${broken.url}/hook`;
    const one = {
      ...{ name: 'The Handler', type: 'debugpy', request: 'launch' },
      program: '${workspaceFolder}/handler.py',
      env: { PORT: new URL(broken.url).port },
    };
    files['.vscode/launch.json'] = JSON.stringify({ version: '0.2.0', configurations: [one] });
    await mkdir(workFolder, { recursive: true });
    extension = await mkdtemp(join(workFolder, 'data-debugpy-'));
    await writeFile(join(extension, 'package.json'), JSON.stringify(pythonExtension(debugEnv)));
    unpacked.push(extension);
  });
  after(() => rm(extension, { recursive: true }));
  const ui = useWorkbench({ settings, files, unpacked });

  it('is stopped at by a delivery that failed, and takes it when it goes on', async () => {
    const { page } = ui.current;
    const deliveries = ui.current.tree('Deliveries');
    const rowThat = (says: RegExp) =>
      waitFor(`a row that says ${String(says)}`, async () =>
        (await deliveries.rows()).find(({ description }) => says.test(description)),
      );
    const place = `  File "handler.py", line ${line}, in do_POST`;
    const failed = `Traceback (most recent call last):\n${place}\nKeyError: 'prompt'\n`;
    broken.otherwise = (_, response) => response.writeHead(500).end(failed);
    await ui.current.runCommand('Runhook: Send Test Delivery');
    const { label } = await rowThat(/^500 /);
    await waitFor('its line', async () => {
      await deliveries.expand(label);
      return deliveries.shows(`handler.py:${line}`);
    });
    await broken.close();
    const start = ui.current.quickPick('The Handler');
    await deliveries.pickFromContextMenu(label, 'Debug This Delivery', start);
    await page.keyboard.press('Enter');
    await ui.current.quickPick(`Stop at handler.py:${line}`).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.debug-top-stack-frame-line').waitFor();
    const shown = await ui.current.statusBarItem(/Ln \d+, Col \d+/).innerText();
    assert.match(shown, new RegExp(`Ln ${line},`));
    await ui.current.picture('debug delivery in Python');
    await page.locator('.debug-toolbar .action-label[aria-label^="Continue"]').click();
    await rowThat(/^200 · /);
    await ui.current.runCommand('Debug: Stop');
    await page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
  });
});
