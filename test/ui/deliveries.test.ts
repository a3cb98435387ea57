import assert from 'node:assert/strict';
import { sign } from '../../src/webhooks/signature.ts';
import { useWorkbench } from '../support/useWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

const secret = 'the secret of the view';

describe('the Deliveries view', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const ui = useWorkbench();
  const tree = () => ui.current.tree('Deliveries');
  let port: string;

  /** Sends a webhook to the listener, signed with `key` or not at all. */
  async function deliver(body: object, key: string | undefined, requestId: string): Promise<number> {
    const text = JSON.stringify(body);
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const headers = {
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
      ...(key !== undefined && {
        'X-Service-Webhook-Timestamp': timestamp,
        'X-Service-Webhook-Signature': `v1,${sign(key, requestId, timestamp, Buffer.from(text))}`,
      }),
    };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })).status;
  }

  before(async () => {
    await ui.current.runCommand('Runhook: Set Webhook Secret…');
    await ui.current.page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await ui.current.answer(secret);
    // The next quick input would take the place of this one before it has taken the answer.
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await ui.current.runCommand('Runhook: Start Webhook Listener');
    const item = ui.current.statusBarItem(/^\s*\d{4,5}/);
    port = /\d{4,5}/.exec(await item.innerText())?.[0] ?? '';
  });

  it('says what to do while it is empty', async () => {
    const pane = await tree().open();
    await pane.getByText('No webhook has arrived yet').waitFor();
  });

  it('lists what arrives, newest first, with its verdict and repeats under their first', async () => {
    assert.equal(await deliver({ run_id: 'run-1', result: 'needle' }, secret, 'req-1'), 200);
    assert.equal(await deliver({ run_id: 'run-1', result: 'needle' }, secret, 'req-1'), 200);
    assert.equal(await deliver({ run_id: 'run-2' }, `${secret}\n`, 'req-2'), 401);
    assert.equal(await deliver({ run_id: '3 $(bug) **x**' }, undefined, 'req-3'), 401);
    await tree().row('run-1');
    const rows = await waitFor('three rows', async () => {
      const all = await tree().rows();
      return all.length === 3 ? all : undefined;
    });
    assert.deepEqual(
      rows.map(({ label, description }) => [label.replaceAll('\u200b', ''), description.split(' · ')[0]]),
      [
        ['3 $(bug) **x**', 'unsigned'],
        ['run-2', 'mismatch'],
        ['run-1', 'verified'],
      ],
    );
    assert.match(rows[1]!.description, /the caller's secret has a newline/);
    assert.match(rows[2]!.description, /1 repeat$/);
    await tree().expand('run-1');
    await waitFor('the repeat', async () => (await tree().rows()).length === 4);
  });

  for (const theme of ['light', 'dark', 'highContrast'] as const) {
    it(`can be looked at: ${theme}`, async () => {
      await ui.current.setTheme(theme);
      await (await tree().row('run-2')).hover();
      await ui.current.screenshot(`deliveries ${theme}`);
    });
  }

  it('explains a mismatch from its row', async () => {
    await tree().clickAction('run-2', 'Explain Delivery');
    const text = await waitFor('the explanation', async () => {
      const shown = await ui.current.editorText();
      return shown.includes('expected') ? shown : undefined;
    });
    assert.match(text, /caller's secret has a newline at its end/);
    assert.ok(!text.includes(secret));
    await ui.current.screenshot('delivery explained');
  });

  it('opens a delivery by a click', async () => {
    await (await tree().row('run-2')).click();
    await waitFor('the delivery', async () =>
      (await ui.current.editorText()).includes('"verdict": "mismatch"'),
    );
    await ui.current.screenshot('delivery opened');
  });

  it('shows what fits a filter, and all again', async () => {
    await tree().clickTitleAction('Filter Deliveries');
    await ui.current.quickPick('Text in the body…').click();
    await ui.current.page.locator('.quick-input-widget:visible').getByText('A text in the body').waitFor();
    await ui.current.answer('NEEDLE');
    const pane = await tree().open();
    await pane.getByText('Filter: "NEEDLE" in the body · 2 deliveries').waitFor();
    await waitFor('what fits', async () => {
      const rows = await tree().rows();
      return rows.length === 2 && rows.every(({ label }) => label === 'run-1');
    });
    await ui.current.screenshot('deliveries filtered');
    await tree().clickTitleAction('Clear Delivery Filter');
    await tree().row('run-2');
  });

  it('asks before it clears', async () => {
    await tree().clickTitleAction('Clear Deliveries');
    await ui.current.answerDialog('Cancel');
    await tree().row('run-2');
  });

  it('replays from the row', async () => {
    await tree().clickAction('run-1', 'Replay Delivery');
    await ui.current.statusBarItem(/Answered 200 in \d+ ms/).waitFor();
  });

  it('shows 200 rows and more with each "Load more…", and counts all that did not verify', async () => {
    await tree().clickTitleAction('Clear Deliveries');
    await ui.current.answerDialog('Clear');
    const pane = await tree().open();
    await pane.getByText('No webhook has arrived yet').waitFor();
    const statuses = await Promise.all(
      Array.from({ length: 230 }, (_, n) => deliver({ run_id: `many-${n}` }, undefined, `many-${n}`)),
    );
    assert.ok(statuses.every((status) => status === 401));
    const badge = ui.current.page.locator('.activitybar .badge-content', { hasText: '230' });
    await badge.waitFor();
    const list = pane.locator('.monaco-list').first();
    const toEnd = async (last: RegExp) =>
      waitFor(`the end of the list, ${String(last)}`, async () => {
        await list.focus();
        await ui.current.page.keyboard.press('End');
        const rows = await tree().rows();
        return last.test(rows.at(-1)?.label ?? '') && rows;
      });
    await toEnd(/^Load more…$/);
    await (await tree().row('Load more…')).click();
    await toEnd(/^many-\d+$/);
    await ui.current.screenshot('deliveries all loaded');
  });
});
