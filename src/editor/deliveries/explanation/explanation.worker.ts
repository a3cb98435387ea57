import { parentPort, workerData } from 'node:worker_threads';
import { momentFormat } from '../../../shared/text/momentText.ts';
import { useBundle } from '../../../shared/text/l10n.ts';
import { bodyOf } from '../../../deliveries/deliveryBody.ts';
import { type Effort, inPassing, thorough } from '../../../service/diagnosis/causeSearch.ts';
import { explain, type Explanation } from '../../../service/explanation/explanation.ts';
import type { ThreadWork } from './explainInThread.ts';

// Not validated: a host of the same build started this thread.
const work = workerData as ThreadWork;
const { about, messages, language, searchMs, runAnswer, ...rest } = work;
useBundle(messages);
const format = momentFormat(Intl.DateTimeFormat.supportedLocalesOf([language, 'en']));
const until = performance.now() + searchMs;
const body = bodyOf(work);

// First a quick partial explanation, in case the time runs out, then the thorough one.
say({ ...inPassing, isPartial: true });
say(thorough(() => performance.now() < until));

function say(effort: Effort): void {
  const evidence = { ...rest, runAnswer, body, effort };
  parentPort?.postMessage(explain(evidence, about, format) satisfies Explanation);
}
