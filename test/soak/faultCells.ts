/** What the soak tells a listener's thread while it runs, over memory that both see. */
export const cellCount = 3;
/** Which {@link DiskFault} the disk has. */
export const diskCell = 0;
/** By how many seconds the clock is wrong. */
export const clockCell = 1;
/** Asks for a garbage collection, and is 0 again after it. */
export const collectCell = 2;

/** The order is their number in the cell. */
export const diskFaults = ['none', 'full', 'readOnly', 'takesPart', 'doesNotSync'] as const;
export type DiskFault = (typeof diskFaults)[number];
