import { routingOf } from '../../../deliveries/destination.ts';
import type { ListenerSettings } from '../../../deliveries/listenerProtocol.ts';
import { config } from '../../kit/config.ts';
import type { Destinations } from '../destinations.ts';
import type { ListenerTunnel } from './listenerTunnel.ts';
import type { WebhookSecrets } from '../secrets/webhookSecrets.ts';

/**
 * The listener's settings: the editor's settings, and the secrets from SecretStorage. While strangers can reach it,
 * only signed deliveries are accepted, whatever the settings say.
 */
export async function readSettings(
  secrets: WebhookSecrets,
  { forward }: Destinations,
  { isPublic, publicUrl }: Pick<ListenerTunnel, 'isPublic' | 'publicUrl'>,
): Promise<ListenerSettings> {
  return {
    secrets: await (await secrets.store()).held(),
    toleranceSeconds: config.timestampToleranceSeconds(),
    acceptUnverified: config.acceptUnverified() && !isPublic,
    isPublic,
    ...(publicUrl !== undefined && { publicUrl }),
    maxBodyBytes: config.maxBodyBytes(),
    ...routingOf(forward),
    forwardMode: config.forwardMode(),
    acceptLocalCertificates: config.acceptLocalCertificates(),
    keep: config.deliveriesKeep(),
    keepAliveSeconds: config.keepAliveSeconds(),
  };
}
