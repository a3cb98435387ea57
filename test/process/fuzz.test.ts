import assert from 'node:assert/strict';
import { findingsOf } from '../fuzz/findings.ts';
import { runInput, fuzz } from '../fuzz/fuzz.ts';
import type { Target } from '../fuzz/target.ts';
import { allTargets } from '../fuzz/targets.ts';
import { seed } from '../support/random/seed.ts';
import { blockThread } from '../support/processes/blockThread.ts';

describe('what reads foreign text (npm run fuzz, in short)', () => {
  let targets: (Target & { share: number })[];
  before(async () => {
    targets = await allTargets();
  });
  after(async () => {
    for (const target of targets) await target.dispose?.();
  });

  it('stands what it once did not', async () => {
    let count = 0;
    for (const target of targets) {
      for (const { name, input } of findingsOf(target.name)) {
        assert.equal(await runInput(target, input), undefined, name);
        count += 1;
      }
    }
    assert.ok(count > 0, 'no finding is kept');
  });

  it(`stands inputs that are close to good ones; seed ${seed}`, async () => {
    for (const target of targets) {
      const inputs = Math.ceil(20_000 * target.share);
      const { count, finding } = await fuzz(target, { seed, inputs, durationMs: 2000 });
      assert.equal(
        finding?.error,
        undefined,
        `${target.name}: ${JSON.stringify(finding?.input.toString('latin1'))}`,
      );
      assert.ok(count > 0);
    }
  });

  it('is fuzzed in a way that sees a false accept, a throw and a hang', async () => {
    const flaws: ((input: Buffer) => void)[] = [
      (input) => assert.ok(input.length % 7 !== 0, 'a false accept'),
      (input) => {
        if (input[3] === 0) decodeURIComponent('%');
      },
      (input) => {
        if (input.length > 40) blockThread(2100);
      },
    ];
    for (const check of flaws) {
      const target = { name: 'flawed', seeds: [Buffer.from('a good input')], tokens: [], check };
      assert.ok((await fuzz(target, { seed: 1, inputs: 5000, durationMs: 9000 })).finding !== undefined);
    }
  });
});
