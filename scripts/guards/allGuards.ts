import { commandLineGuards } from './commandLineGuards.ts';
import { explanationGuards } from './explanationGuards.ts';
import { floodGuards } from './floodGuards.ts';
import type { Guard } from './guard.ts';
import { listenerGuards } from './listenerGuards.ts';
import { maskGuards } from './maskGuards.ts';
import { modelGuards } from './modelGuards.ts';
import { otherExtensionGuards } from './otherExtensionGuards.ts';
import { programGuards } from './programGuards.ts';
import { readerGuards } from './readerGuards.ts';
import { remoteGuards } from './remoteGuards.ts';
import { repositoryGuards } from './repositoryGuards.ts';
import { runGuards } from './runGuards.ts';
import { serviceGuards } from './serviceGuards.ts';
import { supplyGuards } from './supplyGuards.ts';
import { tunnelGuards } from './tunnelGuards.ts';

/** One for each test that SECURITY.md names, at least. */
export const allGuards: readonly Guard[] = [
  ...listenerGuards,
  ...programGuards,
  ...tunnelGuards,
  ...floodGuards,
  ...repositoryGuards,
  ...runGuards,
  ...serviceGuards,
  ...explanationGuards,
  ...modelGuards,
  ...maskGuards,
  ...otherExtensionGuards,
  ...readerGuards,
  ...remoteGuards,
  ...supplyGuards,
  ...commandLineGuards,
];
