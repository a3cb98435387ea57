import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { targetsText } from '../../../src/deliveries/routes/targetText.ts';
import { Destinations } from '../../../src/editor/listener/destinations.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import {
  answerPrompts,
  command,
  deliveries,
  eventually,
  expectMessage,
  setSetting,
  shownMessages,
} from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { Receiver } from '../../support/http/receiver.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;

describe('where the deliveries of each app are forwarded to', () => {
  let echo: Receiver;
  let others: Receiver;
  const settings = () => vscode.workspace.getConfiguration('runhook');
  const hostOf = ({ url }: Receiver) => new URL(url).host;
  /** What the header of the view shows. */
  const shown = (): string => {
    const destinations = new Destinations(new MemoryMemento(), new AnsweredPrompts());
    try {
      return targetsText(destinations.forward);
    } finally {
      destinations.dispose();
    }
  };

  before(async () => {
    [echo, others] = [await Receiver.start(), await Receiver.start()];
    await command('startListener', { port: 0 });
    await command('clearDeliveries');
  });

  afterEach(async () => {
    for (const target of [Workspace, Global]) {
      await settings().update('listener.forwardTo', undefined, target);
      await settings().update('listener.routes', undefined, target);
    }
    assert.deepEqual(await answerPrompts(), [], 'every answer was asked for');
    echo.received.length = 0;
    others.received.length = 0;
  });

  after(async () => {
    await command('clearDeliveries');
    await command('stopListener');
    await Promise.all([echo.close(), others.close()]);
  });

  it('is the route of the app that was run, and of a delivery that is replayed', async () => {
    const { projectId } = await command<{ projectId: string }>('startSandbox');
    const run = (appName: string) =>
      command('runApp', { projectId, appName, body: {}, webhook: true, quiet: true });
    await setSetting('listener.forwardTo', others.url, Workspace);
    await setSetting('listener.routes', { echo: echo.url }, Workspace);
    assert.equal(shown(), `echo → ${hostOf(echo)} · others → ${hostOf(others)}`);
    await run('echo');
    await run('fail');
    await echo.count(1);
    await others.count(1);
    const kept = await deliveries();
    assert.deepEqual(kept.map(({ appName, path }) => `${appName} ${path}`).sort(), [
      'echo /runhook/echo',
      'fail /runhook/fail',
    ]);
    await command('replayDeliveries', { ids: kept.map(({ id }) => id) });
    assert.deepEqual([echo.received.length, others.received.length], [2, 2]);
    const { id } = kept.find(({ appName }) => appName === 'echo')!;
    await command('replayDelivery', { id });
    assert.deepEqual(
      echo.received.map(({ path }) => path),
      ['/', '/', '/'],
    );
    await command('stopSandbox');
  });

  it('is asked for where a workspace names another machine, for each address', async () => {
    const elsewhere = `http://0.0.0.0:${new URL(echo.url).port}/`;
    await setSetting('listener.forwardTo', others.url, Workspace);
    await setSetting('listener.routes', { test: elsewhere }, Workspace);
    const { port } = await command<{ port: number }>('startListener');
    await command('sendTestDelivery', { to: `http://127.0.0.1:${port}/runhook/test` });
    const [kept] = await deliveries();
    assert.equal(kept?.appName, 'test');
    await answerPrompts(false);
    await assert.rejects(
      command('replayDelivery', { id: kept.id }),
      /Nothing was sent to http:\/\/0\.0\.0\.0/,
    );
    assert.deepEqual([echo.received.length, others.received.length], [0, 0]);
    await answerPrompts(true);
    await command('replayDelivery', { id: kept.id });
    assert.equal(echo.received.length, 1);
    await command('sendTestDelivery', { to: `http://127.0.0.1:${port}/runhook/test` });
    await eventually(async () => (await deliveries())[0]?.forward?.status);
    assert.deepEqual([echo.received.length, others.received.length], [2, 0]);
  });

  it('is told of in a message where it was typed, and leads off this machine', async () => {
    const host = `0.0.0.0:${new URL(echo.url).port}`;
    await shownMessages();
    for (const typed of [host, new URL(others.url).host]) {
      await answerPrompts(typed);
      await command('setForwardTo');
    }
    const message = `Deliveries are forwarded to ${host}, which is not on this machine.`;
    assert.deepEqual(await shownMessages(), [{ message, verbs: ['Forward to…'] }]);
    await command('setForwardTo', { to: '' });
  });

  it('is set by a command, in the workspace, and later where it is set', async () => {
    const { host } = new URL(others.url);
    assert.deepEqual(await command('setForwardTo', { to: host }), { to: others.url });
    assert.equal(settings().inspect('listener.forwardTo')?.workspaceValue, others.url);
    await command('sendTestDelivery');
    await others.count(1);
    await command('setForwardTo', { to: '' });
    assert.equal(shown(), '');
    await setSetting('listener.forwardTo', undefined, Workspace);
    await setSetting('listener.forwardTo', echo.url);
    await command('setForwardTo', { to: host });
    assert.equal(settings().inspect('listener.forwardTo')?.globalValue, others.url);
    assert.equal(settings().inspect('listener.forwardTo')?.workspaceValue, undefined);
  });

  it('is set of one app alone, and of the rest where that is set', async () => {
    await setSetting('listener.routes', { '*': others.url, bad: 1 }, Workspace);
    await command('setForwardTo', { app: 'echo', to: hostOf(echo) });
    await command('setForwardTo', { to: 'localhost:1' });
    assert.deepEqual(settings().inspect('listener.routes')?.workspaceValue, {
      '*': 'http://localhost:1',
      bad: 1,
      echo: echo.url,
    });
    await command('setForwardTo', { app: 'echo', to: '' });
    assert.equal(shown(), 'echo off · others → localhost:1');
  });

  it('is typed into a box, which asks first of which app where some have an address', async () => {
    await answerPrompts(' 3000 ');
    await command('setForwardTo');
    assert.equal(shown(), '→ localhost:3000');
    await setSetting('listener.routes', { echo: echo.url }, Workspace);
    await answerPrompts('echo', 'localhost:4000/hook');
    await command('setForwardTo');
    await answerPrompts('All other apps', { kept: true });
    await command('setForwardTo');
    assert.equal(shown(), 'echo → localhost:4000 · others → localhost:3000');
  });

  it('is allowed with being typed, and asked for where a caller names another machine', async () => {
    const elsewhere = `http://0.0.0.0:${new URL(others.url).port}`;
    await answerPrompts(false);
    await assert.rejects(command('setForwardTo', { to: elsewhere }), /Nothing was sent to/);
    assert.equal(shown(), '');
    await answerPrompts(elsewhere);
    await command('setForwardTo');
    await command('sendTestDelivery');
    await others.count(1);
  });

  it('is refused with the reason where it is no address, or the listener itself', async () => {
    const { port } = await command<{ port: number }>('startListener');
    for (const [to, why] of [
      ['hello world', /"hello world" is not an http or https address/],
      ['localhost:70000', /70000 is not a port/],
      ['a:b@localhost', /Leave out the user name/],
      [`localhost:${port}`, /is the listener itself/],
    ] as const) {
      await assert.rejects(command('setForwardTo', { to }), why);
      await answerPrompts(to);
      await expectMessage(command('setForwardTo'), why);
    }
    assert.equal(shown(), '');
  });
});
