import assert from 'node:assert/strict';
import type { ThemeIcon } from 'vscode';
import { eventually } from '../../support/editor/inEditor.ts';
import { TreeRig } from './treeRig.ts';

const expiresAt = '2099-03-02T10:00:00Z';

describe('the lines of keys', () => {
  let rig: TreeRig;
  beforeEach(async () => {
    rig = new TreeRig();
    await rig.start();
  });
  afterEach(() => rig.stop());

  async function items(body: unknown) {
    rig.service.answers(200, body);
    await rig.keyLists.load(rig.ci);
    return (await rig.below((await rig.account(rig.ci)).node)).map(({ item }) => item);
  }

  it('show what the service says of a state, by icon, words and to a screen reader', async () => {
    const lines = await items([
      { id: 'k-1', expiresAt, revoked: true },
      { id: 'k-2', expiresAt, disabled: true },
      { id: 'k-3', expiresAt, status: 'PENDING $(trash)' },
      { id: 'k-4', expiresAt, status: 'ACTIVE' },
    ]);
    assert.deepEqual(
      lines.map(({ iconPath, description }) => [
        (iconPath as ThemeIcon).id,
        (iconPath as ThemeIcon).color?.id,
        description,
      ]),
      [
        ['circle-slash', 'problemsErrorIcon.foreground', 'revoked · until Mar 2, 2099'],
        ['debug-pause', 'problemsWarningIcon.foreground', 'disabled · until Mar 2, 2099'],
        ['pass', 'charts.green', 'PENDING $\u200b(trash) · until Mar 2, 2099'],
        ['pass', 'charts.green', 'until Mar 2, 2099'],
      ],
    );
    assert.deepEqual(
      lines.map(({ tooltip }) => (tooltip as string).split('\n')[0]),
      [
        'The service reports it as revoked.',
        'The service reports it as disabled.',
        'State reported by the service: PENDING $\u200b(trash).',
        'State reported by the service: ACTIVE.',
      ],
    );
    assert.equal(
      lines[0]!.accessibilityInformation?.label,
      'k-1, revoked, until Mar 2, 2099',
      'a screen reader hears it too',
    );
  });

  it('name no day in words, which after nearly two days would be the wrong one', async () => {
    rig.now = Date.parse('2026-11-20T10:00:00Z');
    const lines = await items([
      { id: 'k-1', expiresAt: '2026-11-22T09:00:00Z' },
      { id: 'k-2', expiresAt: '2026-11-18T11:00:00Z' },
      { id: 'k-3', expiresAt: '2026-11-20T12:59:00Z' },
      { id: 'k-4', expiresAt: '2026-11-20T10:00:30Z' },
    ]);
    assert.deepEqual(
      lines.map(({ description }) => description),
      ['1 day left', 'expired 1 day ago', '2 hours left', '1 minute left'],
    );
  });

  it('say that the list may go on, where the answer names a next page', async () => {
    const labels = async (body: unknown) => (await items(body)).map(({ label }) => label);
    assert.deepEqual(await labels({ keys: [{ id: 'k-1' }], nextPageToken: 'abc' }), [
      'k-1',
      'The list may be incomplete',
    ]);
    assert.deepEqual(await labels({ keys: [], hasMore: true }), ['No keys', 'The list may be incomplete']);
    assert.deepEqual(await labels({ keys: [{ id: 'k-1' }], next: null }), ['k-1']);
    assert.equal(
      (await labels(Array.from({ length: 50_001 }, (_, id) => ({ id })))).at(-1),
      'The list is incomplete',
    );
  });

  it('show plain strings as ids, but for what looks like a secret', async () => {
    const secret = 'whsec_c2VjcmV0LW9mLW1pbmU0Mg';
    assert.deepEqual(
      (await items(['k-1', secret])).map(({ label }) => label),
      ['k-1', 'Key 2'],
    );
  });

  it('keep a state over a restart', async () => {
    await items([{ id: 'k-1', revoked: true }]);
    rig.keyLists.forget();
    assert.deepEqual(
      rig.keyLists.knownKeys(rig.ci).map(({ state }) => state),
      [{ kind: 'revoked' }],
    );
  });

  it('count nothing as expiring soon that is out of use', async () => {
    const soon = new Date(rig.now + 86_400_000).toISOString();
    await items([
      { id: 'k-1', expiresAt: soon, revoked: true },
      { id: 'k-2', expiresAt: soon },
    ]);
    const badges: (number | undefined)[] = [];
    const watch = rig.watch({
      badge: (badge) => badges.push(badge?.value),
      tell: () => Promise.resolve(undefined),
      hasFocus: () => false,
      show: () => undefined,
      redraw: () => undefined,
    });
    const first = await eventually(() => (badges.length > 0 ? { badge: badges[0] } : undefined));
    watch.dispose();
    assert.deepEqual(first, { badge: 1 });
  });
});
