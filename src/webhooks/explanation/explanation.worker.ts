import { parentPort, workerData } from 'node:worker_threads';
import { useBundle } from '../../model/text/l10n.ts';
import { bodyOf } from '../deliveries/deliveryBody.ts';
import { type Effort, inPassing, thorough } from '../diagnosis/causeSearch.ts';
import { explain, type Explanation } from './explanation.ts';
import type { ThreadWork } from './explanationWork.ts';

// The host of the same build started this thread: the data is what it says.
const work = workerData as ThreadWork;
const { about, messages, searchMs, ...rest } = work;
useBundle(messages);
const until = performance.now() + searchMs;
const body = bodyOf(work);

// What is known at once, for whoever cannot wait longer, then what is found out.
say({ ...inPassing, isPartial: true });
say(thorough(() => performance.now() < until));

function say(effort: Effort): void {
  parentPort?.postMessage(explain({ ...rest, body, effort }, about) satisfies Explanation);
}
