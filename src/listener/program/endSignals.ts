/** The signals by which a user or the system asks a program to end: Ctrl-C, a kill, the end of its terminal. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
