// npm run soak:relay -- [kills=20] [seed]: kills the engine's leader, relays and the reader under load. Fails if an
// acknowledged delivery is lost or listed twice.
import { Random } from '../support/random/random.ts';
import { killUnderLoad, type Victim } from '../support/relay/relayKills.ts';

const [kills = '20', seed = String(Date.now() % 2 ** 32)] = process.argv.slice(2);
const random = new Random(Number(seed));
const kinds: Victim[] = ['leader', 'relay', 'reader'];
const victims = Array.from({ length: Number(kills) }, () => random.of(kinds));
console.log(`Seed ${seed}`);
const startedAt = performance.now();
const { lost, twice, ...counts } = await killUnderLoad(victims, (line) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}`),
);
console.log(JSON.stringify({ ...counts, lost: lost.length, twice: twice.length }));
if (lost.length > 0) console.error(`Lost: ${lost.slice(0, 50).join(', ')}`);
if (twice.length > 0) console.error(`Twice: ${twice.slice(0, 50).join(', ')}`);
process.exit(lost.length + twice.length === 0 && counts.kills > 0 ? 0 : 1);
