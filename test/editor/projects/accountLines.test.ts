import assert from 'node:assert/strict';
import { extensions, type ThemeIcon, type ViewBadge } from 'vscode';
import type { Node } from '../../../src/editor/kit/tree.ts';
import { keyRows } from '../../../src/editor/projects/accountRows.ts';
import { ProjectQuestions } from '../../../src/editor/projects/projectQuestions.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import { serviceAnswered } from '../../../src/service/client/errors.ts';
import { timeOfDay } from '../../../src/shared/text/durationText.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { eventually, setSetting } from '../../support/editor/inEditor.ts';
import { jwt } from '../../support/service/jwt.ts';
import { TreeRig } from './treeRig.ts';

const hour = 60 * 60 * 1000;

describe('the lines below a service account', () => {
  let rig: TreeRig;

  beforeEach(async () => {
    rig = new TreeRig();
    await rig.start();
  });
  afterEach(() => rig.stop());

  /** Asks for the keys of an account; a failure is one that the lines show. */
  const load = async (ref = rig.ci) => rig.keyLists.load(ref).catch(() => undefined);

  it('say which id the service does not know', async () => {
    await load(rig.gone);
    const [line] = await rig.below((await rig.account(rig.gone)).node);
    assert.equal(line!.item.label, 'account unknown');
    assert.match(line!.item.tooltip as string, /returned 404: There is no service account "sa-gone"/);
  });

  it('stand under an account in the colour of its environment', async () => {
    const { projectId, serviceAccountId } = rig.ci;
    const colors: unknown[] = [];
    for (const environment of ['dev', 'staging', 'prod', 'prod-eu', 'preprod', 'other', undefined]) {
      await rig.projects.change({ projectId, serviceAccountId }, { environment });
      const { item } = await rig.account(rig.ci);
      colors.push([item.description?.toString().split(' · ')[0], (item.iconPath as ThemeIcon).color?.id]);
    }
    assert.deepEqual(colors, [
      ['dev', 'charts.blue'],
      ['staging', 'charts.green'],
      ['prod', 'charts.purple'],
      ['prod-eu', 'charts.purple'],
      ['preprod', undefined],
      ['other', undefined],
      ['83 days', undefined],
    ]);
  });

  it('stand under an account that looks like a key where its token needs care, whatever its environment', async () => {
    await rig.projects.change(rig.ci, { environment: 'prod' });
    const icons: unknown[] = [];
    for (const inHours of [1000, 10, -1]) {
      const exp = Math.floor((Date.now() + inHours * hour) / 1000);
      await rig.projects.setToken(rig.ci, jwt({ exp }));
      const { id, color } = (await rig.account(rig.ci)).item.iconPath as ThemeIcon;
      icons.push([id, color?.id]);
    }
    await rig.projects.deleteToken(rig.ci);
    const { id, color } = (await rig.account(rig.ci)).item.iconPath as ThemeIcon;
    assert.deepEqual(
      [...icons, [id, color?.id]],
      [
        ['circle-filled', 'charts.purple'],
        ['warning', 'problemsWarningIcon.foreground'],
        ['error', 'problemsErrorIcon.foreground'],
        ['key', 'problemsWarningIcon.foreground'],
      ],
    );
  });

  it('point out a token without an expiry date, and one that lives for more than a year', async () => {
    const drawn = async (claims: Record<string, unknown>) => {
      await rig.projects.setToken(rig.ci, jwt(claims));
      const { item } = await rig.account(rig.ci);
      return `${String(item.description)}\n${item.tooltip as string}`;
    };
    assert.match(await drawn({}), /token without expiry[^]*expir/);
    const exp = Math.floor((Date.now() + 500 * 24 * hour) / 1000);
    assert.match(await drawn({ exp }), /^500 days[^]*A shorter lifetime with rotation is safer\./);
  });

  it('stand under an account that says what the service last said of its token, whatever its date', async () => {
    const drawn = async () => {
      const { item } = await rig.account(rig.ci);
      const { id, color } = item.iconPath as ThemeIcon;
      return { text: String(item.description), icon: [id, color?.id], tooltip: item.tooltip as string };
    };
    const set = async (inHours: number) => {
      const exp = Math.floor((Date.now() + inHours * hour) / 1000);
      const token = jwt({ exp, jti: String(Math.random()) });
      await rig.projects.setToken(rig.ci, token);
      return token;
    };
    const says = (status: number) => {
      rig.service.change = (answer) => ({ ...answer, status, body: '[]' });
    };
    const badges: (ViewBadge | undefined)[] = [];
    const watch = rig.watch({
      badge: (badge) => badges.push(badge),
      tell: () => Promise.resolve(undefined),
      hasFocus: () => false,
      show: () => undefined,
      redraw: () => undefined,
    });
    const last = await set(50 * 24 + 1);
    assert.match((await drawn()).text, /^50 days/);
    for (const status of [401, 403]) {
      says(status);
      await load();
      const { text, icon, tooltip } = await drawn();
      assert.equal(text, '● rejected');
      assert.deepEqual(icon, ['error', 'problemsErrorIcon.foreground']);
      assert.ok(tooltip.includes(`The service rejected its token (${status}). Set a new one.`));
      assert.match(tooltip, /expires on/);
    }
    await eventually(() =>
      badges.at(-1)?.tooltip.includes('One account needs a new token') ? true : undefined,
    );
    // It is kept over a reload, and said of no other account.
    assert.equal(
      (
        (await new Tokens(rig.secrets, rig.state).state(rig.projects.tokenOwner(rig.ci))) as {
          refused?: number;
        }
      ).refused,
      403,
    );
    assert.match(String((await rig.account(rig.gone)).item.description), /^\d+ days/);
    // A server that fails says nothing of it; one that answers does.
    says(503);
    await load();
    assert.match((await drawn()).text, /rejected/);
    says(200);
    await load();
    assert.match((await drawn()).text, /^50 days/);
    await eventually(() => (badges.at(-1) === undefined ? true : undefined));
    // What is said of the one before is not said of the one that took its place.
    says(401);
    await load();
    await set(80 * 24 + 1);
    assert.match((await drawn()).text, /^80 days/);
    const access = {
      service: rig.projects.service(rig.ci.projectId),
      serviceAccount: rig.projects.serviceAccount(rig.ci),
    };
    await rig.projects.noteAnswer(rig.ci.projectId, { ...access, token: last }, 401);
    assert.match((await drawn()).text, /^80 days/);
    // One that has expired is refused for that.
    const token = await set(-24);
    await rig.projects.noteAnswer(rig.ci.projectId, { ...access, token }, 401);
    assert.match((await drawn()).text, /^● expired/);
    watch.dispose();
  });

  it('name both ids where a 404 does not say which is unknown', async () => {
    rig.service.answers(404, { message: 'not found' });
    await load();
    assert.deepEqual(await rig.lines(rig.ci), ['404: not found | Open Settings']);
  });

  it('name another address where the service redirects, and nothing to set where the token lacks a right', async () => {
    rig.service.answers(302, '', { location: '/login' });
    await load();
    assert.deepEqual(await rig.lines(rig.ci), ['302: redirected | Set Address…']);
    rig.service.answers(403, { message: 'Not allowed for this account' });
    await load();
    assert.deepEqual(await rig.lines(rig.ci), ['403: no access | Try Again']);
    const [line] = await rig.below((await rig.account(rig.ci)).node);
    assert.match(
      line!.item.tooltip as string,
      /account\. Check whether the token is allowed to do this\.\s+Click: Try Again$/,
    );
  });

  it('are marked at the account whose token terminals have, and at no other', async () => {
    const marked = async () => {
      const rows = await Promise.all([rig.account(rig.ci), rig.account(rig.gone)]);
      return rows.map(({ item }) => /^account stored \w+ inTerminals kept$/.test(String(item.contextValue)));
    };
    assert.deepEqual(await marked(), [false, false]);
    rig.given = rig.ci;
    const drawn = rig.redraws.length;
    rig.terminals.changed.fire(undefined);
    await eventually(() => rig.redraws.length > drawn || undefined);
    assert.deepEqual(await marked(), [true, false]);
    rig.given = undefined;
  });

  it('ask for the token again where the secret store has lost it', async () => {
    for (const key of await rig.secrets.keys()) if (key.includes('sa-ci')) await rig.secrets.delete(key);
    const { item, node } = await eventually(async () => {
      const account = await rig.account(rig.ci);
      return String(account.item.contextValue).startsWith('account missing ') ? account : undefined;
    });
    assert.equal(item.description, '● token missing');
    const [line] = await rig.below(node);
    assert.equal(line!.item.label, 'Token missing');
    assert.equal(line!.item.command?.command, 'runhook.setToken');
    assert.deepEqual((line!.item.command.arguments![0] as Node).argument, rig.ci);
    // The other account is none the wiser, and the service was not asked.
    assert.match(String((await rig.account(rig.gone)).item.description), /^\d+ days/);
    await assert.rejects(rig.keyLists.load(rig.ci), /No token is stored/);
    assert.deepEqual(rig.service.requests, []);
  });

  it('name the address that the token was set for, where that is another, as the box for a token does', async () => {
    const { baseUrl, token } = rig.service.address;
    await setSetting('baseUrl', 'http://127.0.0.1:9');
    const { item } = await rig.account(rig.ci);
    assert.equal(item.description, '● address changed');
    const { contributes } = extensions.getExtension('runhook.runhook')!.packageJSON as {
      contributes: { menus: Record<string, { command: string; when: string; group: string }[]> };
    };
    // The buttons and entries that a token which is not to be sent needs: set another, delete it.
    for (const [id, group] of [
      ['setToken', 'inline@1'],
      ['deleteToken', '2_token@3'],
    ]) {
      const entry = contributes.menus['view/item/context']!.find(
        (one) => one.command === `runhook.${id}` && one.group === group,
      );
      const [, pattern] = /viewItem =~ \/(.+)\/$/.exec(entry!.when) ?? [];
      assert.match(String(item.contextValue), new RegExp(pattern!));
    }
    assert.ok(
      (item.tooltip as string).endsWith(`\nIts token was set for ${baseUrl}, and is sent only there.`),
    );
    assert.deepEqual(await rig.lines(rig.ci), ['Address changed | Set Token…']);
    const prompts = new AnsweredPrompts();
    const asked: (string | undefined)[] = [];
    prompts.input = ({ prompt }) => {
      asked.push(prompt);
      return Promise.resolve(token);
    };
    const account = rig.projects.serviceAccount(rig.ci);
    await new ProjectQuestions(rig.projects, prompts).token('p-sandbox', account, 'Set Token');
    assert.deepEqual(asked, [`Token of the service account ci; the stored one was set for ${baseUrl}`]);
  });

  it('say of a token that has expired and is rejected what the account says of it', async () => {
    await rig.projects.setToken(rig.ci, jwt({ exp: Math.floor((Date.now() - hour) / 1000) }));
    rig.service.answers(401, 'expired');
    await load();
    assert.match((await rig.lines(rig.ci))[0] ?? '', /^Token expired \| Set Token…/);
    assert.match(String((await rig.account(rig.ci)).item.description), /\bexpired\b/);
    rig.service.change = (answer) => answer;
    await rig.projects.setToken(rig.ci, rig.service.address.token);
  });

  it('are asked for again once another token is set, from wherever', async () => {
    rig.service.answers(401, 'revoked');
    await load();
    assert.match((await rig.lines(rig.ci))[0] ?? '', /^Token rejected/);
    rig.service.change = (answer) => answer;
    await rig.projects.setToken(rig.ci, rig.service.address.token);
    assert.equal(rig.keyLists.state(rig.ci).kind, 'unknown');
    // A run that the service takes with it says as much.
    rig.service.answers(403, 'revoked');
    await load();
    const account = rig.projects.serviceAccount(rig.ci);
    const access = await rig.projects.accountAccess(rig.ci.projectId, account);
    await rig.projects.noteAnswer(rig.ci.projectId, access, undefined);
    assert.equal(rig.keyLists.state(rig.ci).kind, 'unknown');
  });

  it('show what was last known where the service is not reached, with its age', async () => {
    await load();
    const known = await rig.lines(rig.ci);
    rig.service.change = () => undefined;
    await load();
    rig.now = Date.now() + 3 * hour;
    const lines = await rig.below((await rig.account(rig.ci)).node);
    const [failed = '', age] = await rig.lines(rig.ci);
    assert.match(failed, /^service disconnected /);
    assert.match(age ?? '', /^As last known, \d\d:\d\d:\d\d$/);
    rig.now = Date.now() + 3 * 24 * hour;
    const [, later] = await rig.lines(rig.ci);
    assert.match(later ?? '', /^As last known, .*\b20\d\d$/);
    assert.deepEqual(
      lines.slice(2).map(({ item }) => item.label),
      known.map((line) => line.split(' | ')[0]),
    );
  });

  it('stand under an account that says itself that the response was no list of keys', async () => {
    await load();
    rig.service.answers(200, '');
    await load();
    assert.match((await rig.lines(rig.ci))[0] ?? '', /^Empty response/);
    const { item } = await rig.account(rig.ci);
    assert.match(String(item.description), /^● empty response/);
    assert.equal((item.iconPath as ThemeIcon).id, 'error');
    rig.service.answers(200, { message: 'hello' });
    await load();
    assert.match((await rig.lines(rig.ci))[0] ?? '', /^Unreadable/);
    assert.match(String((await rig.account(rig.ci)).item.description), /^● unreadable/);
  });

  it('stand under an account that says nothing of an earlier failure where no token is left', async () => {
    rig.service.answers(429, 'slow down', { 'retry-after': '3600' });
    await load();
    assert.match(String((await rig.account(rig.ci)).item.description), /429/);
    await rig.projects.deleteToken(rig.ci);
    assert.equal((await rig.account(rig.ci)).item.description, '● no token');
  });

  it('show what was last known before a restart, too', async () => {
    await load();
    await eventually(() => rig.state.keys().find((key) => key.startsWith('keys:')));
    rig.keyLists.forget();
    rig.service.change = () => undefined;
    await load();
    assert.match((await rig.lines(rig.ci))[1] ?? '', /^As last known, /);
    assert.equal((await rig.lines(rig.ci)).length, 2 + 5);
  });

  it('say until when the service asks to wait, while that is to come', async () => {
    rig.service.answers(429, 'slow down', { 'retry-after': '3600' });
    await load();
    const state = rig.keyLists.state(rig.ci);
    assert.ok(state.kind === 'failed');
    const shown = { most: 1, passes: () => true };
    // A time that is over: the row is drawn anew only every ten seconds.
    const until = Date.UTC(2026, 0, 2, 14, 3, 11, 500);
    const waiting = `429 until ${timeOfDay(new Date(until + 500))}`;
    const rows = (ms: number) => {
      const error = serviceAnswered(429, 'slow down', { ms, until });
      return [ms, 1, 0].map(
        (left) =>
          keyRows(rig.ci, { ...state, error }, shown, { token: { kind: 'none' }, now: until - left })[0]
            ?.item,
      );
    };
    assert.deepEqual(
      rows(3_600_000).map((row) => row?.label),
      [waiting, waiting, '429: slow down'],
    );
    assert.match(rows(3_600_000)[0]?.tooltip as string, /429: slow down\. Try again at \d\d:/);
    assert.match(rows(2 * 86_400_000)[0]?.label as string, /^429 until .*2026$/);
  });

  for (const [name, reason, fail] of [
    ['a service that fails', /^503: down$/, () => rig.service.answers(503, 'down', { 'retry-after': '0' })],
    [
      'too many requests',
      /^429 until \d\d:\d\d:\d\d$/,
      () => rig.service.answers(429, 'slow down', { 'retry-after': '3600' }),
    ],
  ] as const) {
    it(`offer to retry: ${name}`, async () => {
      fail();
      await load();
      rig.now = Date.now();
      const [line] = await rig.below((await rig.account(rig.ci)).node);
      assert.equal(line!.item.description, 'Try Again');
      assert.match(line!.item.label as string, reason);
      assert.equal(line!.item.command?.command, 'runhook.refreshServiceAccount');
      assert.deepEqual((line!.item.command.arguments![0] as Node).argument, rig.ci);
      // A folded account says it too.
      const described = async () => String((await rig.account(rig.ci)).item.description);
      assert.equal(await described(), `● ${line!.item.label as string}`);
      rig.service.reset();
      await load();
      assert.match(await described(), /^● 1 key expires$|^1 key expires$/);
      assert.equal((await rig.lines(rig.ci)).length, 5);
    });
  }

  it('ask for the address where none is set, and lead to where one that is wrong was set', async () => {
    await setSetting('baseUrl', undefined);
    const { projectId, serviceAccountId } = rig.ci;
    const drawn = async () => {
      await rig.projects.setToken({ projectId, serviceAccountId }, rig.service.address.token);
      await load();
      const [line] = await rig.below((await rig.account(rig.ci)).node);
      const { label, description, command } = line!.item;
      return [label, description, command?.command];
    };
    assert.deepEqual(await drawn(), ['no address', 'Set Address…', 'runhook.setProjectAddresses']);
    await setSetting('baseUrl', rig.service.address.baseUrl.replace('http:', 'https:'));
    const settings = ['Open Settings', 'workbench.action.openSettings'];
    assert.deepEqual(await drawn(), ['service uses http', ...settings]);
    // The settings of all are not in force for a project that has addresses of its own.
    await rig.projects.setService(projectId, { ...rig.projects.service(projectId), proxyUrl: '' });
    const own = ['Set Address…', 'runhook.setProjectAddresses'];
    assert.deepEqual(await drawn(), ['service uses http', ...own]);
  });

  it('are being loaded until they are there, or the user cancels', async () => {
    const answer = Promise.withResolvers<undefined>();
    rig.service.change = () => answer.promise;
    const loaded = rig.keyLists.load(rig.ci);
    assert.equal(rig.keyLists.state(rig.ci).kind, 'loading');
    assert.deepEqual(await rig.lines(rig.ci), ['Loading keys']);
    rig.keyLists.cancel(rig.ci);
    await assert.rejects(loaded, /Cancelled/);
    assert.equal(rig.keyLists.state(rig.ci).kind, 'failed');
    assert.match((await rig.lines(rig.ci))[0] ?? '', /^Cancelled\. \| Try Again$/);
    answer.resolve(undefined);
  });
});
