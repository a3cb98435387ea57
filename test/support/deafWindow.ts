import type { Handlers } from '../../src/model/processes/channel.ts';
import type { WindowCalls } from '../../src/model/processes/listenerProtocol.ts';

/** A window that does nothing with what the listener program tells it. */
export const deafWindow: Handlers<WindowCalls> = {
  news: () => null,
  state: () => null,
  tunnel: () => null,
  cleared: () => null,
  ending: () => null,
};
