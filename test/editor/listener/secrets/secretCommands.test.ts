import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../../src/contract/delivery.ts';
import { Sender } from '../../../support/listener/sender.ts';
import {
  answerPrompts,
  command,
  deliveries,
  eventually,
  setSetting,
  shownMessages,
} from '../../../support/editor/inEditor.ts';

describe('webhook secrets of projects and apps', () => {
  const acme = { projectId: 'p-secrets' };
  const hello = { ...acme, appName: 'hello' };
  let port: number;

  const setting = async (value: unknown) => setSetting('projects', value);
  const copied = async (scope?: object): Promise<string> => {
    await command('copyWebhookSecret', scope);
    return vscode.env.clipboard.readText();
  };
  /** Delivers what is signed with a secret. @returns the delivery that it has become */
  const deliver = async (secret: string): Promise<Delivery> => {
    const sender = new Sender(port, secret);
    try {
      await sender.deliver(`r-${Math.random()}`, '{}');
    } finally {
      sender.close();
    }
    return (await deliveries())[0]!;
  };

  before(async () => {
    await command('reset', { confirmed: true });
    ({ port } = await command<{ port: number }>('startListener', { port: 0 }));
  });
  beforeEach(async () => {
    const apps = [{ id: 'app-1', name: 'hello' }, { id: 'app-2' }];
    await setting([{ id: 'p-secrets', name: 'Acme', serviceAccounts: [], apps }]);
    await command('setWebhookSecret', { secret: 'for all' });
  });
  afterEach(() => command('removeProject', acme));
  after(async () => {
    await setting(undefined);
    await command('stopListener');
  });

  it('are set, copied and rotated by their arguments; without a project it is the default one', async () => {
    await command('setWebhookSecret', { ...acme, secret: 'of Acme' });
    assert.equal(await copied({}), 'for all');
    assert.equal(await copied(acme), 'of Acme');
    assert.equal(await copied({ ...acme, appName: 'app-2' }), 'of Acme');
    await command('rotateWebhookSecret', hello);
    const rotated = await copied(hello);
    assert.match(rotated, /^[\w-]{43}$/);
    await command('rotateWebhookSecret', {});
    assert.notEqual(await copied({}), 'for all');
    assert.equal(await copied(acme), 'of Acme');
    assert.equal(await copied(hello), rotated);
  });

  it('verify, each by itself over its own rotation, and the delivery says whose it was', async () => {
    await command('setWebhookSecret', { ...acme, secret: 'of Acme' });
    await command('setWebhookSecret', { ...hello, secret: 'sécrèt-✓ of hello' });
    assert.equal((await deliver('sécrèt-✓ of hello')).reason, 'signed with the secret of hello');
    assert.equal((await deliver('of Acme')).reason, 'signed with the secret of the project Acme');
    assert.equal((await deliver('for all')).reason, 'signed with the default secret');
    await command('rotateWebhookSecret', hello);
    const before = await deliver('sécrèt-✓ of hello');
    assert.equal(before.verdict, 'verified');
    assert.match(before.reason ?? '', /of hello before its last rotation/);
    await command('rotateWebhookSecret', hello);
    const retired = await deliver('sécrèt-✓ of hello');
    assert.equal(retired.verdict, 'mismatch');
    assert.match(retired.reason ?? '', /^earlier secret of hello: the caller must use the current one/);
    assert.match(
      (await deliver('of Acme\n')).reason ?? '',
      /secret of the project Acme; and newline after secret/,
    );
  });

  it('are of projects and apps that are there', async () => {
    const refused = (argument: object, reason: RegExp) =>
      assert.rejects(command('setWebhookSecret', { secret: 's', ...argument }), reason);
    await refused({ ...acme, appName: 'nobody' }, /Acme has no app "nobody"/);
    // It goes by the name in the address of a run, not by the id.
    await refused({ ...acme, appName: 'app-1' }, /no app "app-1"/);
    await refused({ appName: 'hello' }, /projectId of app hello/);
  });

  it('are asked about before one is set, so that a project can have the first of its own', async () => {
    await answerPrompts('Secret of the project Acme', 'typed');
    await command('setWebhookSecret');
    assert.deepEqual([await copied({}), await copied(acme)], ['for all', 'typed']);
    assert.deepEqual(await answerPrompts(), []);
  });

  it('are asked about where there is more than the default one', async () => {
    assert.equal(await copied(), 'for all');
    await command('setWebhookSecret', { ...hello, secret: 'of hello' });
    await answerPrompts('Secret of hello');
    assert.equal(await copied(), 'of hello');
    await answerPrompts('Default secret');
    assert.equal(await copied(), 'for all');
    await answerPrompts('Secret of the project Acme', 'typed\n');
    await command('setWebhookSecret');
    assert.equal(await copied(acme), 'typed\n');
    await answerPrompts(undefined);
    await command('rotateWebhookSecret');
    assert.equal(await copied({}), 'for all');
    assert.deepEqual(await answerPrompts(), []);
  });

  it('are rotated from a row once that is agreed to: the one that applies, which can be copied at once', async () => {
    const asked: string[] = [];
    const say = (agrees: boolean) => (question: string, detail: string) => {
      asked.push(question, detail.split('\n')[0] ?? '');
      return agrees;
    };
    // As the row of an app hands it over that has none of its own.
    await answerPrompts(say(false));
    await command('rotateWebhookSecret', { argument: hello });
    assert.equal(await copied(hello), 'for all');
    await shownMessages();
    await vscode.env.clipboard.writeText('');
    await answerPrompts(say(true), { verb: 'Copy Secret' });
    await command('rotateWebhookSecret', { argument: hello });
    const question = ['Rotate the default webhook secret?', 'hello has none of its own and uses this one.'];
    assert.deepEqual(asked, [...question, ...question]);
    const [told] = await shownMessages();
    assert.match(told?.message ?? '', /^Default webhook secret rotated\. /);
    const offered = await eventually(async () => (await vscode.env.clipboard.readText()) || undefined);
    assert.notEqual(offered, 'for all');
    assert.deepEqual([await copied({}), await copied(hello)], [offered, offered]);
  });

  it('are removed with their project, or one by one', async () => {
    await command('setWebhookSecret', { ...acme, secret: 'of Acme' });
    await command('setWebhookSecret', { ...hello, secret: 'of hello' });
    await command('removeWebhookSecret', hello);
    assert.equal(await copied(hello), 'of Acme');
    assert.equal((await deliver('of hello')).verdict, 'mismatch');
    await answerPrompts('Secret of the project Acme', true);
    await command('removeWebhookSecret');
    assert.equal(await copied(hello), 'for all');
    await command('setWebhookSecret', { ...hello, secret: 'of hello' });
    await command('removeProject', acme);
    await setting([{ id: 'p-secrets', serviceAccounts: [], apps: [{ id: 'hello' }] }]);
    assert.equal(await copied(hello), 'for all');
    assert.equal((await deliver('of hello')).verdict, 'mismatch');
    await assert.rejects(command('removeWebhookSecret', {}), /No project and no app/);
  });

  it('are gone after a reset', async () => {
    await command('setWebhookSecret', { ...hello, secret: 'of hello' });
    await command('reset', { confirmed: true });
    ({ port } = await command<{ port: number }>('startListener', { port: 0 }));
    assert.notEqual(await copied(hello), 'of hello');
    assert.equal((await deliver('of hello')).verdict, 'mismatch');
  });
});
