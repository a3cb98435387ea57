import type { Target } from './target.ts';
import { bodyTarget } from './targets/bodyTarget.ts';
import { journalTarget, recordTarget } from './targets/journalTarget.ts';
import { formTarget, jsonTarget, keysTarget, tokenTarget } from './targets/jsonTargets.ts';
import { runUrlTarget } from './targets/runUrlTarget.ts';
import { routesTarget } from './targets/sandboxTarget.ts';
import { diagnosisTarget, explanationTarget, signatureTarget } from './targets/signatureTarget.ts';
import { listenerTarget, sandboxTarget } from './targets/socketTargets.ts';

/** All that is fuzzed; each is to be ended. `share` is its part of the inputs of a run. */
export async function allTargets(): Promise<(Target & { share: number })[]> {
  return [
    { ...signatureTarget, share: 0.15 },
    { ...runUrlTarget, share: 0.05 },
    { ...diagnosisTarget, share: 0.01 },
    { ...explanationTarget, share: 0.002 },
    { ...jsonTarget, share: 0.048 },
    { ...keysTarget, share: 0.2 },
    { ...tokenTarget, share: 0.2 },
    { ...formTarget, share: 0.12 },
    { ...recordTarget, share: 0.1 },
    { ...journalTarget(), share: 0.05 },
    { ...routesTarget, share: 0.05 },
    { ...(await listenerTarget()), share: 0.005 },
    { ...(await sandboxTarget()), share: 0.005 },
    { ...(await bodyTarget()), share: 0.01 },
  ];
}
