import { hostBenchmarks, shortSize, drawnBenchmarks } from '../bench/benchmarks.ts';
import { packEmptyExtension } from '../bench/activationTime.ts';
import { withFigures } from '../bench/statistics.ts';
import { BridgedSession } from '../support/workbench/bridgedSession.ts';
import { browser, session } from '../support/workbench/session.ts';

/** In short: not how good a figure is, but whether there is one. How good it is, says `npm run bench`. */
describe('a benchmark in the workbench', () => {
  it('has its figures: tree, of 10,000 keys, at first and after each refresh, while the palette opens', async () => {
    const { lines } = await drawnBenchmarks.tree!(await session(), { ...shortSize, keys: 10_000, rounds: 2 });
    withFigures(lines);
  });

  for (const name of ['payloads', 'form']) {
    it(`has its figures: ${name}`, async () => {
      withFigures((await drawnBenchmarks[name]!(await session(), shortSize)).lines);
    });
  }

  describe('that looks into the extension host', () => {
    let bridged: BridgedSession;
    const ended = new Set<number>();
    before(async () => {
      bridged = await BridgedSession.start(await browser(), [await packEmptyExtension()]);
    });
    after(() => bridged.dispose());

    for (const [name, measure] of Object.entries(hostBenchmarks)) {
      it(`has its figures: ${name}`, async () => {
        withFigures((await measure(bridged, shortSize, ended)).lines);
      });
    }
  });
});
