import assert from 'node:assert/strict';
import { serviceFaults } from '../../support/service/faultyService.ts';
import { endingFaults, survivableFaults } from '../../soak/faults.ts';
import { soak } from '../../soak/soak.ts';
import { seed } from '../../support/random/seed.ts';

describe('two listeners while things go wrong (npm run soak, in short)', () => {
  it(`lose nothing that they acknowledged, keep nothing twice, hand nothing on twice; seed ${seed}`, async () => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const result = await soak({ seed, durationMs: 3000, roundMs: 3000, pauseMs: 200, log: say });
    assert.deepEqual(result.failures, []);
    assert.ok(result.acknowledged > 50, `only ${result.acknowledged} were acknowledged`);
    assert.ok(result.calls > 20, `only ${result.calls} calls were made`);
    const happened = Object.keys(result.faults);
    for (const fault of [
      ...Object.keys({ ...survivableFaults, ...endingFaults }),
      ...serviceFaults.map((one) => `service:${one}`),
    ])
      assert.ok(happened.includes(fault), `${fault} did not happen`);
  });
});
