import type { ListenerSettings } from '../../model/processes/listenerProtocol.ts';

/** What a program goes by before a window has told it. */
export const noSettings: ListenerSettings = {
  secrets: [],
  toleranceSeconds: 300,
  acceptUnverified: false,
  isPublic: true,
  maxBodyBytes: 10 * 1024 * 1024,
  forwardMode: 'afterAck',
  keep: 1000,
  keepAliveSeconds: 60,
};

/**
 * What the program goes by: what a window told last, with the secrets of all of them.
 * @param isTunnelled whether a tunnel leads strangers to it: only what is signed counts then, whatever the windows say
 */
export function programSettings(
  told: ListenerSettings,
  secrets: ListenerSettings['secrets'],
  isTunnelled: boolean,
): ListenerSettings {
  const settings = { ...told, secrets };
  // guard: from before a tunnel opens until it has ended, whatever the windows say
  return isTunnelled ? { ...settings, isPublic: true, acceptUnverified: false } : settings;
}
