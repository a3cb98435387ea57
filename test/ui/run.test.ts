import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { pageFrame, axeViolations } from '../support/workbench/pageFrame.ts';
import type { TreeRow } from '../support/workbench/treeView.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { themeNames } from '../support/workbench/workbench.ts';

describe('running an app', function () {
  // Each test goes on where the one before has ended.
  this.bail(true);
  const ui = useWorkbench({
    sandbox: true,
    settings: {
      'breadcrumbs.enabled': false,
      'editor.minimap.enabled': false,
    },
    // Wide enough that no line of an answer is cut.
    size: { width: 1600, height: 900 },
  });
  const tree = () => ui.current.tree('Projects');
  /** A link at the top of a document. */
  const lens = (text: string | RegExp) =>
    ui.current.page.locator('.part.editor .codelens-decoration a').filter({ hasText: text });
  /** Whether an editor has a line like this. */
  const shows = (line: RegExp) => async () => (await ui.current.editorLines()).some((one) => line.test(one));
  /** The runs under an app, the newest first; its payloads stand above them. */
  const runsOf = async (app: string): Promise<TreeRow[]> => {
    const rows = await tree().rows();
    const below = rows.slice(rows.findIndex(({ label }) => label === app) + 1);
    const end = below.findIndex(({ level }) => level < 4);
    const children = below.slice(0, end === -1 ? undefined : end);
    return children.filter(({ description }) => description !== 'workspace');
  };
  const runs = async (app: string, fits: (runs: TreeRow[]) => boolean): Promise<TreeRow[]> =>
    waitFor(`the runs of ${app}`, async () => {
      await tree().expand(app);
      const found = await runsOf(app);
      return fits(found) ? found : undefined;
    });
  /** By the editor's own command, which first stores which tabs are open. */
  async function reload(): Promise<void> {
    const loaded = ui.current.page.waitForEvent('load');
    await ui.current.runCommand('Developer: Reload Window');
    await loaded;
    await ui.current.ready();
  }
  async function openPayload(app: string): Promise<void> {
    const payload = ui.current.page.locator('.tab.active', { hasText: `${app}.payload.json` });
    await tree().pickFromContextMenu(app, 'Open Payload', payload);
  }
  /** Opens the payload of an answer that streams until it is cancelled. */
  async function openEndless(): Promise<void> {
    await openPayload('stream');
    await ui.current.focusEditor();
    // What another test of the same app has left goes first: a brace typed over a selection would surround it.
    await ui.current.page.keyboard.press('Control+A');
    await ui.current.page.keyboard.press('Delete');
    await ui.current.page.keyboard.insertText('{"count": 5000, "seconds": 0.2}');
    await ui.current.editorLine(/^\{"count": 5000, "seconds": 0\.2\}$/);
  }
  it('opens the payload of the app with its links', async () => {
    // The last of what draws the whole tree anew when the sandbox starts: a click meanwhile would be lost.
    await waitFor('the keys to be known', async () =>
      (await tree().rows()).some(({ description }) =>
        /^(dev · \d+ days|1 key expires · dev)$/.test(description),
      ),
    );
    await openPayload('echo');
    for (const title of ['Run', 'Run with Webhook', 'Payloads…']) {
      await lens(new RegExp(`^\\s*${title}$`)).waitFor();
    }
    assert.deepEqual(await ui.current.notifications(), []);
  });

  it('shows status, run id and body of the answer beside it, then that it was delivered', async () => {
    await ui.current.click(lens('Run with Webhook'), shows(/^200 OK · /));
    await ui.current.editorLine(/^200 OK · \d+ B · \d+(\.\d+)? m?s\b/);
    await ui.current.editorLine(/"run_id": "/);
    // Folded, and not in the way of the payload, which has the focus.
    await ui.current.editorLine(/^── Headers · \d/);
    await ui.current.editorLine(/^── Request · POST /);
    await waitFor('both to be folded', async () =>
      (await ui.current.editorLines()).every((one) => !one.includes('content-type:')),
    );
    await ui.current.editorLine(/^200 OK · .* · ✓ verified/);
    await lens('Delivery: verified · Open').waitFor();
    await ui.current.pictures('run');
  });

  it('opens the delivery from the answer', async () => {
    await ui.current.click(lens('Delivery: verified · Open'), shows(/^ {2}"body": \{/));
    await ui.current.pictures('run joined delivery');
  });

  it('lets an answer grow while it streams, until it is cancelled', async () => {
    await ui.current.runCommand('View: Close All Editors');
    await openEndless();
    await ui.current.click(lens(/^\s*Run$/), shows(/receiving the body$/));
    await ui.current.editorLine(/"number":1,/);
    await ui.current.editorLine(/"number":5,/);
    await lens(/Cancel/).waitFor();
    await ui.current.pictures('run streaming');
    await ui.current.click(lens(/Cancel/), shows(/^200 OK · .* · cancelled after \d/));
    await lens('Run Again').waitFor();
  });

  it('keeps the runs under their app, with status and verdict', async () => {
    const [echo] = await runs('echo', ([run]) => run !== undefined);
    assert.match(echo!.description, /^200 · verified$/);
    const [stream] = await runs('stream', ([run]) => run !== undefined);
    assert.equal(stream!.description, 'cancelled');
    assert.ok((await tree().contextMenu(echo!.label)).includes('Clear Runs'));
    await ui.current.pictures('run history');
  });

  it('runs the same again from the history', async () => {
    const [first] = await runsOf('echo');
    await tree().clickAction(first!.label, 'Run Again', async () => (await runsOf('echo')).length === 2);
    const [again] = await runs('echo', (found) => found.length === 2);
    await waitFor('the delivery of the repeated run', async () => {
      const [newest] = await runsOf('echo');
      return /^200 · verified$/.test(newest?.description ?? '');
    });
    assert.notDeepEqual(again, first);
    await ui.current.editorLine(/^200 OK · .* · ✓ verified/);
  });

  it('is copied from its row, as what one chooses', async () => {
    const [newest] = await runsOf('echo');
    const choice = ui.current.quickPick('JavaScript fetch');
    await tree().pickFromContextMenu(newest!.label, 'Copy Run As…', choice);
    await ui.current.picture('run copied as');
    const copied = async () => String(await ui.current.page.evaluate('navigator.clipboard.readText()'));
    await ui.current.click(choice, async () => (await copied()).startsWith('const response = await fetch('));
  });

  it('keeps them over a reload of the window, and opens the delivery from there', async () => {
    const before = await runsOf('echo');
    await ui.current.runCommand('View: Close All Editors');
    await ui.current.page.reload();
    await ui.current.ready();
    assert.deepEqual(await runs('echo', ([run]) => run !== undefined), before);
    assert.equal(before.length, 2);
    await tree().clickAction(before[0]!.label, 'Open Delivery of Run', shows(/^ {2}"body": \{/));
    const apps = (await ui.current.tree('Deliveries').rows()).map(({ label }) => label);
    assert.ok(apps.includes('echo'), apps.join());
  });

  it('opens an answer of before the reload by a click on its run, compares it, and saves it', async () => {
    await ui.current.runCommand('View: Close All Editors');
    const [newest] = await runs('echo', (found) => found.length === 2);
    await tree().clickRow(newest!.label, shows(/^200 OK · /));
    await ui.current.editorLine(/^200 OK · .* · ✓ verified/);
    await ui.current.pictures('run kept answer');
    await ui.current.click(lens(/^…$/), ui.current.quickPick('Save Response As…'));
    await ui.current.quickPick('Save Response As…').click();
    const name = ui.current.quickInput();
    // What is offered is taken: the dialog completes what is typed, and may go to a folder with it.
    const path = await waitFor('the name that is offered', async () => {
      const offered = await name.inputValue();
      return offered.endsWith('.json') ? offered : undefined;
    });
    const text = await waitFor('the file', async (timeout) => {
      if (await name.isVisible()) await name.press('Enter', { timeout });
      return readFile(path, 'utf8').catch(() => undefined);
    });
    assert.match(text, /"run_id":/);
    const diff = ui.current.page.locator('.tab.active', { hasText: /echo .* ↔ echo / });
    await ui.current.click(lens(/^…$/), ui.current.quickPick('Compare with Previous Run'));
    await ui.current.click(ui.current.quickPick('Compare with Previous Run'), diff);
    await ui.current.pictures('run compared answers');
    await ui.current.runCommand('View: Close All Editors');
    const payload = ui.current.page.locator('.tab', { hasText: /^Payload of echo .*\.json/ });
    await tree().pickFromContextMenu(newest!.label, 'Open Payload and Response', async () =>
      payload.isVisible(),
    );
    await ui.current.editorLine(/^200 OK · /);
    await ui.current.pictures('run payload and answer');
    await ui.current.runCommand('View: Close All Editors');
  });

  /** A mark of the timeline that is open, by its words. */
  const mark = (text: string | RegExp) => ui.current.webview().getByRole('button', { name: text });

  it('draws a lane for each run of an app, in colours of the theme, which axe-core finds nothing in', async () => {
    await ui.current.runCommand('View: Close All Editors');
    const lanes = async () => ui.current.webview().locator('.lane').count();
    await tree().pickFromContextMenu('echo', 'Show Timeline', async () => (await lanes()) === 2);
    await mark(/webhook · .*arrived, verified/)
      .last()
      .waitFor();
    for (const theme of themeNames) {
      await ui.current.setTheme(theme);
      assert.deepEqual(await axeViolations(await pageFrame(ui.current, 'timeline')), []);
      await ui.current.picture(`timeline ${theme}`);
    }
  });

  it('draws no mark of a lane over another, and tells the same in a table', async () => {
    const page = ui.current.webview();
    const marks = await page.locator('.lane').first().locator('.mark').all();
    const boxes = await Promise.all(marks.map(async (one) => (await one.boundingBox()) ?? assert.fail()));
    assert.ok(boxes.length >= 2);
    for (const [at, one] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) {
        const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
        const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y;
        assert.ok(isBeside || isBelow, JSON.stringify([one, other]));
      }
    }
    const rows = page.getByRole('row').filter({ hasText: /webhook/ });
    await ui.current.click(page.getByText('Show as a table'), rows.last());
    assert.equal(await rows.count(), 2);
    assert.deepEqual(await axeViolations(await pageFrame(ui.current, 'timeline')), []);
  });

  it('fits an editor of any width, with the names of its lines beside the marks', async () => {
    const page = await pageFrame(ui.current, 'timeline');
    for (const width of [240, 1000]) {
      const [overflow, ...gaps] = await page.evaluate<number[]>(`(() => {
        const plot = document.querySelector('.plot');
        plot.style.width = '${width}px';
        const { right } = plot.querySelector('.name').getBoundingClientRect();
        const gaps = [...plot.querySelectorAll('.mark')].map((one) => one.getBoundingClientRect().left - right);
        const overflow = plot.scrollWidth - plot.clientWidth;
        plot.style.width = '';
        return [overflow, ...gaps];
      })()`);
      assert.equal(overflow, 0);
      assert.ok(gaps.length >= 2 && gaps.every((gap) => gap >= 0), gaps.join());
    }
  });

  it('grows while the app runs again', async () => {
    const [newest] = await runs('echo', (found) => found.length > 0);
    await tree().clickAction(newest!.label, 'Run Again', async () => (await runsOf('echo')).length >= 3);
    const timeline = ui.current.page.locator('.tab', { hasText: 'Timeline of echo' });
    // The response, which opens in a moment, covers the timeline: it may have to be shown again.
    await ui.current.click(timeline, async () => (await mark(/webhook · .*arrived, verified/).count()) >= 3);
  });

  it('has what a reload interrupts back: its answer in its tab, its row, and the sandbox to run it again', async () => {
    // The output, which opened with the listener, leaves too little room for the answer.
    if (await ui.current.page.locator('.part.panel').isVisible())
      await ui.current.runCommand('View: Hide Panel');
    await openEndless();
    await ui.current.click(lens(/^\s*Run$/), shows(/"number":1,/));
    // Two seconds of it: what has come is written every second.
    await ui.current.editorLine(/"number":10,/);
    await reload();
    await ui.current.editorLine(/^⚠ Interrupted by a reload · 200 OK · /);
    await ui.current.editorLine(/"number":3,/);
    await lens('Run Again').waitFor();
    await ui.current.pictures('run interrupted');
    const [stopped] = await runs('stream', ([run]) => run !== undefined);
    assert.equal(stopped!.description, 'interrupted');
    await tree().clickAction(stopped!.label, 'Run Again', shows(/receiving the body$/));
    await runs(
      'stream',
      ([newest, before]) => newest?.description === 'running' && before?.label === stopped!.label,
    );
    // Not by the lens: the editor draws none anew while the text changes more often than its provider answers.
    await ui.current.runCommand('Runhook: Cancel Run');
    await runs('stream', ([newest]) => newest?.description === 'cancelled');
  });

  it('has the timeline after the reload as well, and opens what is clicked there', async () => {
    const third = mark(/webhook · .*arrived, verified/).nth(2);
    await ui.current.click(ui.current.page.locator('.tab', { hasText: 'Timeline of echo' }), third);
    await ui.current.click(third, shows(/"verdict": "verified"/));
  });

  it('has no button above a response that is removed', async () => {
    await ui.current.runCommand('View: Close All Editors');
    const [newest] = await runs('echo', ([run]) => run !== undefined);
    await tree().clickRow(newest!.label, shows(/^200 OK · /));
    const again = ui.current.page.locator('.editor-actions [aria-label^="Run Again"]');
    await again.waitFor();
    const dialog = ui.current.page.getByRole('dialog');
    await tree().pickFromContextMenu(newest!.label, 'Clear Runs', dialog);
    await ui.current.answerDialog('Clear');
    await ui.current.editorLine(/^This response is no longer kept\.$/);
    await again.waitFor({ state: 'detached' });
    await ui.current.picture('run removed');
  });

  it('says in a timeline that its run is no longer kept, also once it is shown again', async () => {
    await ui.current.runCommand('View: Close All Editors');
    await tree().run('echo');
    await ui.current.editorLine(/^200 OK · /);
    const [newest] = await runs('echo', ([run]) => run !== undefined);
    await tree().pickFromContextMenu(newest!.label, 'Show Timeline', ui.current.webview().locator('.lane'));
    await tree().pickFromContextMenu(newest!.label, 'Clear Runs', ui.current.page.getByRole('dialog'));
    await ui.current.answerDialog('Clear');
    const gone = ui.current.webview().getByText('This run is no longer kept.');
    await gone.waitFor();
    await ui.current.picture('timeline removed');
    const tab = (title: RegExp) => ui.current.page.locator('.tab', { hasText: title });
    await ui.current.click(tab(/Response of echo /), shows(/^This response is no longer kept\.$/));
    await ui.current.click(tab(/Timeline of echo \d+:\d\d/), gone);
  });
});
