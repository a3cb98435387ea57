import { explanationGuards } from './explanationGuards.ts';
import { floodGuards } from './floodGuards.ts';
import type { Guard } from './guard.ts';
import { listenerGuards } from './listenerGuards.ts';
import { modelGuards } from './modelGuards.ts';
import { repositoryGuards } from './repositoryGuards.ts';
import { runGuards } from './runGuards.ts';
import { serviceGuards } from './serviceGuards.ts';
import { supplyGuards } from './supplyGuards.ts';

/** One for each test that SECURITY.md names, at least. */
export const allGuards: readonly Guard[] = [
  ...listenerGuards,
  ...floodGuards,
  ...repositoryGuards,
  ...runGuards,
  ...serviceGuards,
  ...explanationGuards,
  ...modelGuards,
  ...supplyGuards,
];
