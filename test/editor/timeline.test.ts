import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../src/contract/delivery.ts';
import type { Timeline } from '../../src/contract/timeline.ts';
import type { ErrorSurface } from '../../src/editor/kit/errorSurface.ts';
import { TimelinePanel, TimelineSource } from '../../src/editor/timeline/feature.ts';
import type { Run } from '../../src/service/runs/run.ts';
import { notKept } from '../../src/deliveries/keptDelivery.ts';
import { deliveryOf } from '../support/deliveries/deliveryOf.ts';
import type { TimelineOf } from '../../src/pages/timeline/timelineProtocol.ts';
import { command, deliveries, eventually, setSetting } from '../support/editor/inEditor.ts';
import { Receiver } from '../support/http/receiver.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { WebviewRig } from './webviewRig.ts';

/** Each mark of the only lane: its line, how it went and its label. */
function marksOf({ lanes }: Timeline): string[][] {
  assert.equal(lanes.length, 1);
  return lanes.flatMap((lane) => lane.marks.map(({ track, outcome, label }) => [track, outcome, label]));
}

describe('runhook.showTimeline', () => {
  let app: { projectId: string; appName: string };
  let local: Receiver;
  let runId: string;
  let delivery: Delivery;

  before(async () => {
    local = await Receiver.start();
    local.behaviours = [(_, response) => response.writeHead(500).end('KeyError')];
    const { projectId } = await command<{ projectId: string }>('startSandbox');
    app = { projectId, appName: 'echo' };
    await setSetting('listener.forwardTo', local.url);
    await command('startListener');
    await command('clearDeliveries');
    // The sandbox tries again after a 404.
    await command('setNextResponses', { response: 404, times: 1 });
    const run = await command<{ runId: string }>('runApp', {
      ...app,
      webhook: true,
      confirmed: true,
      quiet: true,
    });
    runId = run.runId;
    delivery = await eventually(async () =>
      (await deliveries()).find((one) => one.runId === runId && one.forward !== undefined),
    );
    await command('replayDelivery', { id: delivery.id });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setSetting('listener.forwardTo', undefined);
    await command('clearDeliveries');
    await command('stopListener');
    await command('stopSandbox');
    await local.close();
  });

  const whole = [
    ['call', 'good', '200'],
    ['webhook', 'bad', '1 ✓ 404'],
    ['webhook', 'good', '2 ↻ 200'],
    ['app', 'bad', '500'],
    ['app', 'good', '↺ 200'],
  ];

  it('tells the call, both attempts of the webhook, what the app did and the replay', async () => {
    // That the app has answered may be told a moment after the delivery has it.
    const timeline = await eventually(async () => {
      const now = await command<Timeline>('showTimeline', { run: runId });
      return marksOf(now).some(([, outcome]) => outcome === 'underWay') ? undefined : now;
    });
    assert.deepEqual(marksOf(timeline), whole);
    assert.match(timeline.title, /^echo \d+:\d\d/);
    const [call, first, second] = timeline.lanes[0]!.marks;
    assert.match(
      first!.text,
      /attempt 1 of 3 · 404 in .* · the next in .* · arrived, verified · returned 404/,
    );
    assert.ok(call!.from <= first!.from && first!.to < second!.from);
  });

  it('tells the same of the delivery, and of the app with what else it ran', async () => {
    assert.deepEqual(marksOf(await command('showTimeline', { delivery: delivery.id })), whole);
    await command('runApp', { ...app, webhook: false, confirmed: true, quiet: true });
    const { lanes } = await command<Timeline>('showTimeline', { app });
    const [own, other] = lanes.slice(-2);
    assert.equal(own?.marks.length, whole.length);
    assert.deepEqual(
      other?.marks.map(({ track }) => track),
      ['call'],
    );
  });

  it('tells that the app is still at a delivery, also where nothing has happened since', async () => {
    let answer = (): void => undefined;
    local.behaviours = [(_, response) => (answer = () => void response.end())];
    const before = local.received.length;
    const run = await command<{ runId: string }>('runApp', {
      ...app,
      webhook: true,
      confirmed: true,
      quiet: true,
    });
    await local.count(before + 1);
    const ofApp = async (): Promise<string[]> =>
      marksOf(await command<Timeline>('showTimeline', { run: run.runId }))
        .filter(([track]) => track === 'app')
        .map(([, outcome = '']) => outcome);
    assert.deepEqual(await ofApp(), ['underWay']);
    answer();
    await eventually(async () => (await ofApp()).join() === 'good' || undefined);
  });

  it('takes what the rows of runs, apps and deliveries hand over', async () => {
    const ofRow = (argument: object) => command<Timeline>('showTimeline', argument);
    const [call] = (await ofRow({ run: runId })).lanes[0]!.marks;
    const { id } = call!.opens!;
    assert.deepEqual(marksOf(await ofRow({ projectId: app.projectId, id, runId })), whole);
    assert.deepEqual(marksOf(await ofRow({ id: delivery.id })), whole);
    assert.equal((await ofRow({ ...app, appId: 'app-echo' })).title, 'echo');
  });

  it('has one tab, for what it was asked of last', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('showTimeline', { run: runId });
    await command('showTimeline', { delivery: delivery.id });
    await command('showTimeline', { app });
    const tabs = await eventually(() => {
      const labels = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
      // Its name comes with what is known of it.
      return labels.includes('Timeline of echo') ? labels : undefined;
    });
    assert.deepEqual(tabs, ['Timeline of echo']);
  });

  it('refuses a delivery or a run that is not kept', async () => {
    const refused = (given: object, message: RegExp) =>
      assert.rejects(command('showTimeline', given), message);
    await refused({ delivery: 'gone' }, /This delivery is no longer kept\./);
    await refused({ run: 'gone' }, /This run is no longer kept\./);
  });

  it('tells of an app only the deliveries that are kept once its runs are cleared', async () => {
    await command('clearRuns', { ...app, confirmed: true });
    const webhooks = ['webhook', 'app'];
    const { lanes } = await command<Timeline>('showTimeline', { app });
    assert.ok(lanes.length > 0);
    for (const { marks } of lanes) assert.ok(marks.every(({ track }) => webhooks.includes(track)));
    await command('clearDeliveries');
    assert.deepEqual((await command<Timeline>('showTimeline', { app })).lanes, []);
  });
});

describe('TimelinePanel', () => {
  let rig: WebviewRig;
  let changed: vscode.EventEmitter<void>;
  let log: vscode.LogOutputChannel;
  beforeEach(() => {
    rig = new WebviewRig();
    changed = new vscode.EventEmitter<void>();
    log = vscode.window.createOutputChannel('Timeline Rig', { log: true });
  });
  afterEach(() => {
    rig.close();
    changed.dispose();
    log.dispose();
  });

  function panelOf(of: TimelineOf, source: TimelineSource) {
    const { extensionUri } = vscode.extensions.getExtension('runhook.runhook')!;
    const panel = rig.panel();
    const open = () => Promise.resolve();
    const shown = new TimelinePanel(panel, of, {
      ...{ source, open, errors: {} as ErrorSurface, extensionUri, log },
    });
    return { panel, shown };
  }
  const told = () => rig.told('show') as { of: TimelineOf; timeline: Timeline }[];

  it('ends with the newest update or subject, if an older one takes longer to read', async () => {
    /** The reads that nobody has answered yet, in the order of their start. */
    const reads: ((title: string) => void)[] = [];
    const source = {
      onDidChange: changed.event,
      read: () =>
        new Promise<Timeline>((resolve) => {
          reads.push((title) =>
            resolve({ title, lanes: [], leftOut: { lanes: 0, marks: 0 }, now: Date.now() }),
          );
        }),
    } as unknown as TimelineSource;
    const { panel, shown } = panelOf({ kind: 'run', id: 'run-1' }, source);
    const nextRead = (count: number) => waitFor(`read ${count}`, () => reads[count - 1]);
    const titles = () => told().map(({ timeline }) => timeline.title);
    const loaded = rig.ask('load');
    (await nextRead(1))('at first');
    await loaded;
    const older = await nextRead(2);
    changed.fire();
    const newer = await nextRead(3);
    newer('newer');
    await waitFor('the newer one', () => titles().includes('newer'));
    older('older');
    changed.fire();
    (await nextRead(4))('newest');
    await waitFor('the newest one', () => titles().includes('newest'));
    assert.deepEqual(titles(), ['newer', 'newest']);
    changed.fire();
    const ofFirst = await nextRead(5);
    const { timeline } = told()[0]!;
    shown.show({ kind: 'run', id: 'run-2' }, { ...timeline, title: 'second' });
    ofFirst('too late');
    changed.fire();
    (await nextRead(6))('the second one');
    await waitFor('the second run', () => titles().includes('the second one'));
    assert.deepEqual(titles().slice(2), ['second', 'the second one']);
    assert.deepEqual(told().at(-1)?.of, { kind: 'run', id: 'run-2' });
    assert.equal(panel.title, 'Timeline of the second one');
  });

  for (const kind of ['run', 'delivery'] as const) {
    it(`keeps its title, and has nothing to draw, once its ${kind} is no longer kept`, async () => {
      let isKept = true;
      const run: Run = {
        ...{ id: 'own', startedAt: 0, outcome: { kind: 'answered', status: 200, durationMs: 1, bytes: 2 } },
        input: { projectId: 'p', appName: 'echo', method: 'POST', path: '/', headers: {}, webhook: false },
      };
      const delivery = deliveryOf('own', { appName: 'echo' });
      const event = changed.event as vscode.Event<never>;
      const source = new TimelineSource({
        listener: {
          page: () => Promise.resolve({ deliveries: [], hasMore: false }),
          get: (id) => (isKept ? Promise.resolve(delivery) : Promise.reject(notKept(id))),
          ...{ onDidReceiveNews: event, onDidForget: event },
        },
        runs: { all: () => (isKept && kind === 'run' ? [run] : []), onDidChange: event },
        sandbox: { attempts: () => Promise.resolve([]), onDidAttempt: event, has: () => false },
      });
      const { panel } = panelOf({ kind, id: 'own' }, source);
      await rig.ask('load');
      await waitFor('the picture', () => told().at(-1)?.timeline.lanes.length === 1);
      const { title } = panel;
      assert.match(title, /^Timeline of echo \d\d:\d\d:\d\d$/);
      isKept = false;
      changed.fire();
      await waitFor('an empty page', () => told().at(-1)?.timeline.lanes.length === 0);
      assert.equal(panel.title, title);
      // As the tab does that was hidden meanwhile.
      const { gives, failure } = await rig.ask('load');
      assert.equal(failure, undefined);
      assert.partialDeepStrictEqual(gives, {
        content: { timeline: { lanes: [] }, emptyText: `This ${kind} is no longer kept.` },
      });
      source.dispose();
    });
  }
});
