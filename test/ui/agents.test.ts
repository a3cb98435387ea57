import assert from 'node:assert/strict';
import { workFolder } from '../../scripts/checkout.ts';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { commandLineEntry } from '../support/processes/entryPoints.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { openWorkbench } from '../support/workbench/openWorkbench.ts';
import { session } from '../support/workbench/session.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import type { Workbench } from '../support/workbench/workbench.ts';

const project = {
  id: 'p-acme',
  name: 'Acme',
  serviceAccounts: [{ id: 'release', environment: 'prod' }],
  apps: [{ id: 'hello' }],
};

describe('an agent in a terminal, and two windows', () => {
  const ui = useWorkbench({ sandbox: true });
  let other: Workbench;
  let client: Client;

  before(async () => {
    // The settings of the next window are those of the server: this one may ask whether to reload for them.
    const { page } = ui.current;
    const asksToReload = page.locator('.monaco-dialog-box', { hasText: 'requires a reload' });
    await page.addLocatorHandler(asksToReload, () =>
      asksToReload.getByRole('button', { name: 'Cancel' }).click(),
    );
    const { server, browser } = await session();
    const settings = JSON.stringify({ 'runhook.projects': [project] });
    other = await openWorkbench({ server, browser }, { files: { '.vscode/settings.json': settings } });
    await other.tree('Projects').row('Acme');
    client = new Client({ name: 'test', version: '1' });
    const env = { PATH: process.env['PATH'] ?? '', XDG_DATA_HOME: server.dataFolder };
    const args = [commandLineEntry, 'mcp', '--allow-write'];
    // In the folder of no window.
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: workFolder }));
  });
  after(async () => {
    await client.close();
    await other.close();
  });

  async function call(name: string, input: object = {}): Promise<string> {
    const { content } = await client.callTool({ name, arguments: { ...input } });
    return content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  }
  const question = ({ page }: Workbench) => page.locator('.monaco-dialog-box', { hasText: 'An agent asks' });
  const asked = { projectId: project.id, appId: 'hello', settings: { gpuCount: 2, memory: '16' } };

  it('has the window asked that holds the project, whose no and whose end are answers', async () => {
    const listed = await waitFor('the projects of both windows', async () => {
      const projects = await call('list_projects');
      return projects.includes('"Sandbox"') && projects.includes('"Acme"') ? projects : undefined;
    });
    const [sandbox] = (JSON.parse(listed) as { id: string; name: string }[]).filter(
      ({ name }) => name === 'Sandbox',
    );

    const declined = call('apply_settings', asked);
    await question(other).waitFor();
    const text = await question(other).innerText();
    assert.match(text, /An agent asks: Apply settings to hello · Acme · prod\?/);
    assert.match(text, /\+ gpuCount: 2\n\+ memory: "16"/);
    assert.equal(await question(ui.current).count(), 0);
    await other.pictures('question of an agent');
    await other.answerDialog('Cancel');
    assert.match(await declined, /The user has declined/);

    const ran = call('run_app', { projectId: sandbox!.id, appName: 'echo', body: { n: 1 } });
    await question(ui.current).waitFor();
    assert.match(await question(ui.current).innerText(), /Run echo · Sandbox[^]*"n": 1/);
    assert.equal(await question(other).count(), 0);
    await ui.current.answerDialog('Allow');
    assert.match(await ran, /"status": 200/);

    const left = call('apply_settings', asked);
    await question(other).waitFor();
    // As its tab is closed: its extension host ends with it.
    await other.page.goto('about:blank');
    assert.match(await left, /The window was closed before it responded/);
    assert.match(await call('apply_settings', asked), /No window has this project\. Open it in the editor/);
  });
});
