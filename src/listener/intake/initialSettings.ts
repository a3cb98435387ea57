import type { ListenerSettings } from '../../model/processes/listenerProtocol.ts';

/** What a listener goes by before anybody has told it: as in the editor, where nothing is set, and strangers reach it. */
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
