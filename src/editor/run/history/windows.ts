/** What a window is known by to others, and how it finds out whether they are still there. */
export interface Windows {
  own: number;
  isThere: (window: number) => boolean;
}

/** By the numbers of their processes. */
export const windowsOfThisMachine: Windows = {
  own: process.pid,
  isThere: (window) => {
    try {
      return process.kill(window, 0);
    } catch (error) {
      // It is there, and belongs to another user.
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
};
