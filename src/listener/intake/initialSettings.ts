import type { ListenerSettings } from '../../deliveries/listenerProtocol.ts';

/** A listener's settings before any window has sent some: the editor's defaults, as if strangers could reach it. */
export const initialSettings: ListenerSettings = {
  secrets: [],
  toleranceSeconds: 300,
  acceptUnverified: false,
  isPublic: true,
  maxBodyBytes: 10 * 1024 * 1024,
  forwardMode: 'afterAck',
  keep: 1000,
  keepAliveSeconds: 60,
};
