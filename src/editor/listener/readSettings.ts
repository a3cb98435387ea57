import type { ListenerSettings } from '../../model/listenerProtocol.ts';
import { config } from '../config.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

/**
 * What the listener goes by: the editor's settings, and the secrets from SecretStorage.
 * @param isPublic whether strangers reach it: only signed deliveries are accepted then, whatever the settings say
 */
export async function readSettings(secrets: WebhookSecrets, isPublic: boolean): Promise<ListenerSettings> {
  const forwardTo = config.forwardTo();
  return {
    secrets: await (await secrets.store()).held(),
    toleranceSeconds: config.timestampToleranceSeconds(),
    acceptUnverified: config.acceptUnverified() && !isPublic,
    isPublic,
    maxBodyBytes: config.maxBodyBytes(),
    ...(forwardTo !== '' && { forwardTo }),
    forwardMode: config.forwardMode(),
    keep: config.deliveriesKeep(),
  };
}
