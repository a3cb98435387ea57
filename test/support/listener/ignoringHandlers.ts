import type { Handlers } from '../../../src/shared/rpc/rpc.ts';
import type { WindowCalls } from '../../../src/deliveries/listenerProtocol.ts';

/** Handlers of a window that ignores all messages of the listener program. */
export const ignoringHandlers: Handlers<WindowCalls> = {
  news: () => undefined,
  state: () => undefined,
  tunnel: () => undefined,
  relayLost: () => undefined,
  cleared: () => undefined,
  ending: () => undefined,
};
