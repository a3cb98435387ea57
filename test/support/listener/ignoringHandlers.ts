import type { Handlers } from '../../../src/model/processes/channel.ts';
import type { WindowCalls } from '../../../src/model/processes/listenerProtocol.ts';

/** Handlers of a window that ignores all messages of the listener program. */
export const ignoringHandlers: Handlers<WindowCalls> = {
  news: () => null,
  state: () => null,
  tunnel: () => null,
  cleared: () => null,
  ending: () => null,
};
