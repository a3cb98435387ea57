import assert from 'node:assert/strict';
import { Sender } from '../support/listener/sender.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import { useBridgedWorkbench } from '../support/workbench/useBridgedWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

const projectId = 'p-sandbox';

describe('webhook secrets, in the views', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const service = new SandboxGate();
  const settings: Record<string, unknown> = {
    'runhook.projects': [
      { id: projectId, name: 'Acme', serviceAccounts: [], apps: [{ id: 'app-hello', name: 'hello' }] },
    ],
  };
  before(async () => {
    const { baseUrl, proxyUrl } = await service.start();
    settings['runhook.baseUrl'] = baseUrl;
    settings['runhook.proxyUrl'] = proxyUrl;
  });
  after(async () => service.stop());
  // Wide enough for a line of the output to be one line on the screen.
  const ui = useBridgedWorkbench({ settings, size: { width: 1800, height: 800 } });
  const tree = () => ui.current.workbench.tree('Projects');
  const submenu = 'Webhook Secret';
  const menuOf = (row: string): Promise<string[]> => tree().contextMenu(row, undefined, submenu);

  it('are set from the menu of an app, with a word about white space around one', async () => {
    const { workbench } = ui.current;
    const given = ['Give Terminals the Webhook Secret…', 'Write Webhook Secret to .env…'];
    const all = ['Set Webhook Secret…', 'Rotate Webhook Secret', 'Copy Webhook Secret', ...given];
    assert.deepEqual(await menuOf('hello'), all);
    assert.ok((await tree().contextMenu('Acme')).every((line) => !line.includes('Secret')));
    await tree().pickFromContextMenu('hello', 'Set Webhook Secret…', workbench.quickInput(), submenu);
    await workbench.quickInput().fill('of hello ');
    await workbench.page
      .getByText('This secret cannot be sent with a run: it begins or ends with white')
      .waitFor();
    await workbench.picture('webhook secret with white space');
    await workbench.answer('of hello');
    await waitFor('the menu', async () => (await menuOf('hello')).includes('Remove Webhook Secret'));
  });

  it('are named in the line of a delivery', async () => {
    const { workbench, bridge } = ui.current;
    await bridge.command('setWebhookSecret', { projectId, secret: 'of Acme' });
    await bridge.command('setWebhookSecret', { secret: 'for all' });
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    await workbench.runCommand('Runhook: Show Deliveries Output');
    const secrets = ['of hello', 'of Acme', 'for all', 'of hello\n', 'of nobody'];
    for (const [index, secret] of secrets.entries()) {
      const sender = new Sender(port, secret);
      await sender.deliver(`req-${index}`, JSON.stringify({ run_id: `run-${index}` }));
      sender.close();
    }
    await workbench.outputLine(/✓ verified .* signed with the secret of hello$/);
    await workbench.outputLine(/✓ verified .* signed with the secret of the project Acme$/);
    await workbench.outputLine(/✓ verified .* signed with the default secret$/);
    await workbench.outputLine(/✗ mismatch .* secret of hello; and newline after secret/);
    await workbench.outputLine(/✗ mismatch .* secret or body differs/);
    await workbench.pictures('webhook secrets', (take) => tree().contextMenu('hello', take, submenu));
  });

  it('are asked about in the palette, and gone from the menu once they are removed', async () => {
    const { workbench } = ui.current;
    await workbench.runCommand('Runhook: Copy Webhook Secret');
    for (const label of ['Default secret', 'Secret of the project Acme', 'Secret of hello']) {
      await workbench.quickPick(label).waitFor();
    }
    await workbench.picture('webhook secrets in the palette');
    const copied = workbench.page.getByText('Copied the webhook secret of hello.').first();
    await workbench.click(workbench.quickPick('Secret of hello'), copied);
    const question = workbench.page.getByText('Remove the webhook secret of hello?');
    await tree().pickFromContextMenu('hello', 'Remove Webhook Secret', question, submenu);
    await workbench.picture('webhook secret removed');
    await workbench.answerDialog('Remove');
    await waitFor('the menu', async () => !(await menuOf('hello')).includes('Remove Webhook Secret'));
  });

  it('of a project is removed from the menu of the project, which has that entry only while there is one', async () => {
    const { workbench } = ui.current;
    const question = workbench.page.getByText('Remove the webhook secret of Acme?');
    await tree().pickFromContextMenu('Acme', 'Remove Webhook Secret', question);
    await workbench.page.getByText('Runs will use the default secret.').waitFor();
    await workbench.picture('webhook secret of a project removed');
    await workbench.answerDialog('Remove');
    await waitFor('the menu', async () =>
      (await tree().contextMenu('Acme')).every((line) => !line.includes('Secret')),
    );
  });
});
