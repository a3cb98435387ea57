import type { AccountInUse, FormContent, Said } from './formProtocol.ts';

/** What the form says above its button: how the last apply went, or that one is under way. */
export type ApplyStatus = Said['status'] | { kind: 'busy'; text: string };

/** @param content what the form knows while it says so */
export function saidOf(status: Said['status'], content: FormContent): Said {
  const { account, environment, lastApplied } = content;
  return { status, account, environment, hasApplied: lastApplied !== undefined };
}

/** Whether it is still so by what the form knows now. After a reset of Runhook nothing is. */
export function stillHolds(said: Said, now: FormContent): boolean {
  if (said.hasApplied && now.lastApplied === undefined) return false;
  // What was applied to one environment, or rejected of one account, says nothing of another.
  return isSameAccount(said, now) || !(said.status.kind === 'done' || isOfToken(said.status));
}

export function isSameAccount(one: AccountInUse, other: AccountInUse): boolean {
  return one.account === other.account && one.environment === other.environment;
}

/** Whether it tells of a token that is rejected or missing: it is over once another one is set. */
export function isOfToken(status: ApplyStatus): boolean {
  return status.kind === 'error' && status.mend === 'setToken';
}
