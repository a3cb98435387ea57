import { routingOf } from '../../../model/deliveries/destination.ts';
import type { ListenerSettings } from '../../../model/processes/listenerProtocol.ts';
import { config } from '../../config.ts';
import type { Destinations } from '../destinations.ts';
import type { WebhookSecrets } from '../secrets/webhookSecrets.ts';

/**
 * What the listener goes by: the editor's settings, and the secrets from SecretStorage.
 * @param isPublic whether strangers reach it: only signed deliveries are accepted then, whatever the settings say
 */
export async function readSettings(
  secrets: WebhookSecrets,
  { forward }: Destinations,
  isPublic: boolean,
): Promise<ListenerSettings> {
  return {
    secrets: await (await secrets.store()).held(),
    toleranceSeconds: config.timestampToleranceSeconds(),
    acceptUnverified: config.acceptUnverified() && !isPublic,
    isPublic,
    maxBodyBytes: config.maxBodyBytes(),
    ...routingOf(forward),
    forwardMode: config.forwardMode(),
    keep: config.deliveriesKeep(),
    keepAliveSeconds: config.keepAliveSeconds(),
  };
}
