import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { ExpiryWatch } from '../../../src/editor/projects/expiryWatch.ts';
import type { AccountRef } from '../../../src/service/projects/project.ts';
import { eventually, setSetting } from '../../support/editor/inEditor.ts';
import { TreeRig } from './treeRig.ts';

const day = 24 * 60 * 60 * 1000;

describe('what expires soon', () => {
  const rig = new TreeRig();
  let watch: ExpiryWatch;
  let badges: (vscode.ViewBadge | undefined)[];
  let told: string[];
  let answer: string | undefined;
  let shown: AccountRef[];
  let focused = true;

  before(async () => {
    await rig.start();
    await rig.keyLists.load(rig.ci);
  });
  after(() => rig.stop());
  beforeEach(() => {
    badges = [];
    told = [];
    shown = [];
    answer = undefined;
    watch = rig.watch({
      badge: (badge) => badges.push(badge),
      tell: (message) => {
        told.push(message);
        return Promise.resolve(answer);
      },
      hasFocus: () => focused,
      show: (ref) => shown.push(ref),
      redraw: () => undefined,
    });
  });
  afterEach(() => watch.dispose());

  /** Looks, and waits until that is done: the badge comes first, the notice at once after it. */
  async function look(): Promise<void> {
    const before = badges.length;
    watch.lookSoon();
    await eventually(() => badges[before] ?? (badges.length > before ? true : undefined));
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('is counted, and not told, while nobody looks at the window', async () => {
    focused = false;
    await look();
    assert.equal(badges.length, 1);
    assert.deepEqual(told, []);
    focused = true;
  });

  it('is counted in the badge, and told once', async () => {
    // One of the sandbox's keys expires within two weeks; its tokens live longer.
    await look();
    assert.deepEqual(badges, [{ value: 1, tooltip: 'One key or token expires within 14 days' }]);
    assert.equal(told.length, 1);
    assert.match(told[0]!, /^The key laptop expires in \d+ days\.$/);
  });

  it('is what the user calls soon', async () => {
    await look();
    const before = badges.length;
    const setDays = (days?: number) => setSetting('keys.expiryWarningDays', days);
    await setDays(3);
    try {
      await eventually(() => (badges.length > before ? true : undefined));
      assert.deepEqual(badges.slice(before), [undefined]);
    } finally {
      await setDays();
    }
  });

  it('is not told again on the same day', async () => {
    rig.now += day - 60_000;
    await look();
    assert.deepEqual(told, []);
  });

  it('is told again on the next day, and shown where the user wants to see it', async () => {
    rig.now += 2 * 60_000;
    answer = 'Show';
    await look();
    assert.equal(told.length, 1);
    assert.deepEqual(shown, [rig.ci]);
  });

  it('is never told again to one who wants none, and still counted', async () => {
    rig.now += day;
    answer = "Don't Show Again";
    await look();
    assert.equal(told.length, 1);
    for (let days = 1; days <= 3; days += 1) {
      rig.now += day;
      await look();
    }
    assert.equal(told.length, 1);
    assert.deepEqual(badges.at(-1)?.value, 1);
  });
});
