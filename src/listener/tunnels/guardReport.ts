/** What the guard of a tunnel program tells the host, once. */
export type GuardReport =
  | { kind: 'unstartable'; reason: string }
  /** `how`: the exit code, or the signal that ended the program. */
  | { kind: 'ended'; how: string };
