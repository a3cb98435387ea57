import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { sign } from '../../src/service/signature/signature.ts';
import { Receiver } from '../support/http/receiver.ts';
import { axeViolations, pageFrame } from '../support/workbench/pageFrame.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { clickUntil } from '../support/workbench/clickUntil.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { itFindsOneAmongMany } from './findsOneAmongMany.ts';

const secret = 'the secret of the view';

describe('the Deliveries view', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  let app: Receiver;
  const settings: Record<string, unknown> = {
    'security.workspace.trust.enabled': false,
    'runhook.listener.forwardMode': 'passThrough',
    // And a fifth as many that did not verify.
    'runhook.deliveries.keep': 2000,
  };
  before(async () => {
    app = await Receiver.start();
    settings['runhook.listener.forwardTo'] = `${app.url}/hook`;
  });
  after(() => app.close());
  // Wide enough for a line of the output to be one line on the screen.
  const ui = useWorkbench({ settings, size: { width: 2000, height: 900 } });
  const tree = () => ui.current.tree('Deliveries');
  const shows = async (label: string) => (await tree().rows()).some((row) => row.label === label);
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

  async function setSecret(): Promise<void> {
    await ui.current.runCommand('Runhook: Set Webhook Secret…');
    await ui.current.page.locator('.quick-input-widget:visible input[type="password"]').waitFor();
    await ui.current.answer(secret);
    // The next quick input would take the place of this one before it has taken the answer.
    await ui.current.quickInput().waitFor({ state: 'hidden' });
  }

  before(async () => {
    await setSecret();
    await ui.current.runCommand('Runhook: Start Webhook Listener');
    const item = ui.current.statusBarItem(/^\s*\d{4,5}/);
    port = /\d{4,5}/.exec(await item.innerText())?.[0] ?? '';
  });

  it('says what to do while it is empty', async () => {
    const pane = await tree().open();
    await pane.getByText('The listener is running. Webhooks that arrive are listed here.').waitFor();
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
      rows.map(({ label, description }) => [label.replaceAll('\u200b', ''), description.split(/ · |: /)[0]]),
      [
        ['3 $(bug) **x**', 'unsigned'],
        ['run-2', 'newline after secret'],
        ['run-1', '200'],
      ],
    );
    assert.match(rows[2]!.description, /^200 · \d+ ms · 1 repeat · now$/);
    await tree().expand('run-1');
    await waitFor('the repeat', async () => (await tree().rows()).length === 4);
    await ui.current.pictures('deliveries', async (take) => {
      await (await tree().row('run-2')).hover();
      await take();
    });
  });

  it('explains a mismatch from its row', async () => {
    const cause = ui.current.webview().getByText('Newline after secret');
    await tree().clickAction('run-2', 'Explain Delivery', cause);
    const [tried = ''] = await ui.current.webview().locator('.trials li').allInnerTexts();
    assert.match(tried, /white space.* this is it/);
    assert.ok(!(await ui.current.webview().locator('main').innerText()).includes(secret));
  });

  it('opens a delivery by a click', async () => {
    await tree().clickRow('run-2', async () =>
      (await ui.current.editorText()).includes('"verdict": "mismatch"'),
    );
    await ui.current.picture('delivery opened');
  });

  it('has a response in the menu of its document only where there is one, and no run', async () => {
    const { page } = ui.current;
    const menu = page.locator('.monaco-menu');
    const text = page.locator('.monaco-editor .view-line').first();
    const opened = async () => {
      await clickUntil('a right click', menu.first(), (timeout) => text.click({ button: 'right', timeout }));
      const lines = await menu.last().locator('.action-label:not(.separator)').allInnerTexts();
      await page.keyboard.press('Escape');
      await menu.first().waitFor({ state: 'hidden' });
      return lines.map((line) => line.trim()).filter((line) => /^(Explain|Open) /.test(line));
    };
    assert.deepEqual(await opened(), ['Explain Delivery']);
    await tree().clickRow('run-1', async () =>
      (await ui.current.editorText()).includes('"verdict": "verified"'),
    );
    assert.deepEqual(await opened(), ['Explain Delivery', 'Open Response']);
  });

  it('compares two that are selected, and one with the previous of its app', async () => {
    assert.equal(await deliver({ run_id: 'run-3', result: 'other' }, secret, 'req-4'), 200);
    const isSelected = async (...labels: string[]) => {
      const rows = await Promise.all(labels.map((label) => tree().row(label)));
      const each = await Promise.all(rows.map((row) => row.getAttribute('aria-selected')));
      return each.every((selected) => selected === 'true');
    };
    const line = (side: string, hasText: string) =>
      ui.current.page.locator(`.monaco-diff-editor .editor.${side} .view-line`, { hasText });
    await tree().clickRow('run-1', () => isSelected('run-1'));
    await tree().clickRow('run-3', () => isSelected('run-1', 'run-3'), ['ControlOrMeta']);
    await tree().pickFromContextMenu('run-3', 'Compare', line('original', 'needle'));
    await line('modified', 'other').waitFor();
    await ui.current.picture('deliveries compared');
    await tree().clickRow('run-3', async () => !(await isSelected('run-1')));
    const one = await tree().contextMenu('run-3');
    assert.ok(one.includes('Replay') && !one.includes('Compare'), one.join());
  });

  it('shows what fits a filter, and all again', async () => {
    await tree().clickTitleAction('Filter Deliveries', ui.current.quickInput());
    const pane = await tree().open();
    await ui.current.quickInput().fill('NEEDLE verdict:mis');
    // What is wrong with a word is said, and the others narrow the view.
    await pane.getByText('2 of 5, 1 repeat · NEEDLE').waitFor();
    await ui.current.quickPick('NEEDLE verdict:mis').getByText('A verdict is one of').waitFor();
    const none = pane.getByText('0 of 5 · verdict:mismatch NEEDLE');
    await ui.current.click(ui.current.quickPick('verdict:mismatch'), none);
    await ui.current.picture('deliveries found none');
    await ui.current.quickInput().press('Escape');
    await tree().row('run-2');
    await pane.getByText(' of 5').waitFor({ state: 'hidden' });
    await tree().clickTitleAction('Filter Deliveries', ui.current.quickInput());
    await ui.current.quickInput().fill('NEEDLE');
    await pane.getByText('2 of 5, 1 repeat · NEEDLE').waitFor();
    await ui.current.quickInput().press('Enter');
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await pane.locator('.monaco-list:focus').waitFor();
    await waitFor('what fits', async () => {
      const rows = await tree().rows();
      return rows.length > 0 && rows.every(({ label }) => label === 'run-1');
    });
    await ui.current.picture('deliveries filtered');
    await tree().clickTitleAction('Clear Delivery Filter', () => shows('run-2'));
  });

  it('leads out of a filter that finds nothing', async () => {
    await tree().clickTitleAction('Filter Deliveries', ui.current.quickInput());
    await ui.current.quickInput().fill('app:none');
    await tree().row('Clear Filter');
    await ui.current.quickInput().press('Enter');
    await ui.current.quickInput().waitFor({ state: 'hidden' });
    await ui.current.picture('deliveries filter without hits');
    await tree().clickRow('Clear Filter', () => shows('run-2'));
  });

  it('says what the service does with what the local app has answered', async () => {
    await ui.current.runCommand('Runhook: Show Deliveries Output');
    const answers = [
      [500, 'the service got 500 and does not try again'],
      [404, 'the service got 404 and tries up to 3 times'],
      [200, undefined],
    ] as const;
    for (const [status, words] of answers) {
      app.otherwise = (_, response) => response.writeHead(status).end('TypeError: no such job');
      const run = `run-${status}`;
      assert.equal(await deliver({ run_id: run }, secret, run), status);
      const line = await ui.current.outputLine(new RegExp(`${run} .*→`));
      const kept = words === undefined ? '' : `; ${words}: kept, Replay`;
      const outcome = `→ 127\\.0\\.0\\.1:\\d+ ${status} in \\d+ ms${kept}$`;
      assert.match(line, new RegExp(`✓ verified .*${run} +${status} +\\d+ B +${outcome}`));
      const row = words === undefined ? /^200 · \d+ ms · / : new RegExp(`^${status} "no such job" · `);
      await waitFor(`the row of ${run}, ${String(row)}`, async () =>
        (await tree().rows()).some(({ label, description }) => label === run && row.test(description)),
      );
    }
  });

  it('says that what failed in your handler is taken once it was mended, also after a reload', async () => {
    app.otherwise = 200;
    const before = app.received.length;
    await tree().clickAction('run-500', 'Replay', () => app.received.length > before);
    await ui.current.outputLine(/↺ replayed .*run-500 .*→ 127\.0\.0\.1:\d+ 200 in \d+ ms$/);
    const attempts = async () => {
      await waitFor('the outcome in the row', async () =>
        (await tree().rows()).some(
          ({ label, description }) =>
            label === 'run-500' && /^200 · \d+ ms · .* · replayed$/.test(description),
        ),
      );
      await tree().expand('run-500');
      const rows = await tree().rows();
      const at = rows.findIndex(({ label }) => label === 'run-500');
      return rows.slice(at + 1, at + 3).map(({ label }) => label);
    };
    const [last = '', first = ''] = await waitFor('both attempts', async () => {
      const labels = await attempts();
      return labels[1]?.startsWith('500 ') === true ? labels : undefined;
    });
    assert.match(`${last} ${first}`, /^200 in \d+ ms 500 in \d+ ms$/);
    await ui.current.picture('deliveries attempts');
    await ui.current.page.reload();
    await ui.current.ready();
    // This server forgets it.
    await setSecret();
    await waitFor('the attempts after the reload', async () => {
      const [shown] = await attempts();
      return shown === last;
    });
    const answer = /^500 Internal Server Error · .*\n[^]*\nTypeError: no such job/;
    await tree().clickRow(first, async () => answer.test(await ui.current.editorText()));
    await ui.current.runCommand('Runhook: Show Deliveries Output');
  });

  it('is explained from its document and replayed from there, and both say what has become of it', async () => {
    const { page } = ui.current;
    const lens = (of: string, hasText: string | RegExp) =>
      page.locator(`.codelens-decoration ${of}`, { hasText });
    // A click on the row opens what the app answered, since that failed.
    await tree().clickRow('run-404', async () => (await ui.current.editorText()).startsWith('404 '));
    await tree().pickFromContextMenu('run-404', 'Open Delivery', lens('a', /^\s*404 /));
    const inTitle = (name: string) => page.locator(`.editor-actions [aria-label^="${name}"]`);
    await inTitle('Replay').waitFor();
    const heading = ui.current.webview().getByRole('heading', { level: 1 });
    const failed = heading.filter({ hasText: '404 from your handler' });
    await ui.current.click(inTitle('Explain Delivery'), failed);
    await page.locator('.tab.active', { hasText: 'Explain run-404' }).waitFor();
    await ui.current.webview().getByText('Your handler has no route for POST /hook.').waitFor();
    assert.deepEqual(await axeViolations(await pageFrame(ui.current, 'explanation')), []);
    await ui.current.pictures('explanation of a failure');
    assert.equal(await page.locator('.tab', { hasText: 'Explain ' }).count(), 1, 'also after the reload');
    const mended = heading.filter({ hasText: 'The signature matches.' });
    await ui.current.click(ui.current.webview().locator('[data-action="replay"]'), mended);
    // A screen reader is told of it.
    const told = ui.current.webview().getByRole('status').filter({ has: mended });
    await told.getByText(/^200 from your handler · replayed · [\d:]+$/).waitFor();
    await ui.current.webview().locator('[data-action="openResponse"]').waitFor();
    // No link any more: there is nothing to explain.
    await tree().clickRow('run-404', lens('span', /^\s*200 · \d+ ms/));
    await ui.current.picture('delivery replayed in its document');
  });

  it('writes lines in the order in which deliveries came, whatever was answered first', async () => {
    const before = app.received.length;
    let held: ServerResponse | undefined;
    app.otherwise = (_, response) => (held = response);
    const first = deliver({ run_id: 'run-asked' }, secret, 'run-asked');
    await app.count(before + 1);
    assert.equal(await deliver({ run_id: 'run-refused' }, undefined, 'run-refused'), 401);
    held?.end();
    assert.equal(await first, 200);
    await ui.current.outputLine(/run-asked .*→/);
    await ui.current.outputLine(/run-refused/);
    const lines = await ui.current.outputLines();
    const at = (run: string) => lines.findIndex((line) => line.includes(run));
    assert.ok(at('run-asked') < at('run-refused'), lines.join('\n'));
  });

  it('breaks off a replay that takes long', async () => {
    // The last that came: rows that are still to come would move the one under the mouse.
    await tree().row('run-refused');
    let left = false;
    app.otherwise = (_, response) => response.on('close', () => (left = true));
    const progress = ui.current.page.locator('.notification-list-item', { hasText: 'Replaying run-1' });
    await tree().clickAction('run-1', 'Replay', progress);
    await ui.current.click(progress.getByRole('button', { name: 'Cancel' }), () => left);
    await progress.waitFor({ state: 'hidden' });
    assert.deepEqual(await ui.current.notifications(), []);
    app.otherwise = 200;
  });

  it('asks before it clears', async () => {
    await tree().clickTitleAction('Clear Deliveries', ui.current.page.locator('.monaco-dialog-box'));
    await ui.current.answerDialog('Cancel');
    await tree().row('run-2');
  });

  it('replays from the row', async () => {
    await tree().clickAction('run-1', 'Replay', ui.current.statusBarItem(/ 200 in \d+ ms/));
  });

  it('shows 200 rows and more with each "Load More"', async () => {
    await tree().clickTitleAction('Clear Deliveries', ui.current.page.locator('.monaco-dialog-box'));
    await ui.current.answerDialog('Clear');
    const pane = await tree().open();
    await pane.getByText('The listener is running. Webhooks that arrive are listed here.').waitFor();
    const statuses = await Promise.all(
      Array.from({ length: 230 }, (_, n) => deliver({ run_id: `many-${n}` }, undefined, `many-${n}`)),
    );
    assert.ok(statuses.every((status) => status === 401));
    const list = pane.locator('.monaco-list').first();
    const toEnd = async (last: RegExp) =>
      waitFor(`the end of the list, ${String(last)}`, async () => {
        await list.focus();
        await ui.current.page.keyboard.press('End');
        const rows = await tree().rows();
        return last.test(rows.at(-1)?.label ?? '') && rows;
      });
    await toEnd(/^Load More$/);
    await tree().clickRow('Load More', async () => !(await shows('Load More')));
    await toEnd(/^many-\d+$/);
    await ui.current.picture('deliveries all loaded');
  });

  itFindsOneAmongMany({
    ui,
    deliver: (runId) => deliver({ run_id: runId }, secret, runId),
  });
});
