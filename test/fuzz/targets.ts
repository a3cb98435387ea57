import type { Target } from './target.ts';
import { bodyTarget } from './targets/bodyTarget.ts';
import { controlFileTarget, controlTarget } from './targets/controlTargets.ts';
import { formTarget, jsonTarget, keysTarget, tokenTarget } from './targets/jsonTargets.ts';
import { maskTarget } from './targets/maskTarget.ts';
import { runUrlTarget } from './targets/runUrlTarget.ts';
import { routesTarget } from './targets/sandboxTarget.ts';
import {
  diagnosisTableTarget,
  diagnosisTarget,
  explanationTarget,
  signatureTarget,
} from './targets/signatureTarget.ts';
import { listenerTarget, sandboxTarget, wireTarget } from './targets/socketTargets.ts';
import { storeTarget } from './targets/storeTarget.ts';

/** Creates all targets; the caller disposes them. `share` is a target's share of a run's inputs. */
export async function allTargets(): Promise<(Target & { share: number })[]> {
  return [
    { ...signatureTarget, share: 0.15 },
    { ...runUrlTarget, share: 0.05 },
    { ...diagnosisTarget, share: 0.01 },
    { ...diagnosisTableTarget, share: 0.01 },
    { ...explanationTarget, share: 0.002 },
    { ...jsonTarget, share: 0.028 },
    { ...maskTarget, share: 0.02 },
    { ...keysTarget, share: 0.2 },
    { ...tokenTarget, share: 0.2 },
    { ...formTarget, share: 0.12 },
    { ...controlFileTarget, share: 0.14 },
    { ...storeTarget(), share: 0.005 },
    { ...(await controlTarget()), share: 0.005 },
    { ...routesTarget, share: 0.05 },
    { ...(await listenerTarget()), share: 0.005 },
    { ...(await wireTarget()), share: 0.005 },
    { ...(await sandboxTarget()), share: 0.005 },
    { ...(await bodyTarget()), share: 0.01 },
  ];
}
