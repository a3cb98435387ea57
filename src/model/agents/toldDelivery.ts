import type { Delivery } from '../deliveries/delivery.ts';
import { maskJson, maskSecrets } from '../masking/masking.ts';

/** A delivery for the eyes of a model: without what looks like a token or secret, though nobody holds it. */
export function toldDelivery({ headers, ...delivery }: Delivery): object {
  const { path, body, forward, attempts } = delivery;
  return {
    ...delivery,
    path: maskSecrets(path),
    headers: maskJson(headers),
    body: maskSecrets(body),
    ...(forward && { forward: maskJson(forward) }),
    ...(attempts && { attempts: maskJson(attempts) }),
  };
}
