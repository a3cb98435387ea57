import type { Delivery } from '../deliveries/delivery.ts';
import { maskJson, maskSecrets } from '../masking/masking.ts';

/** A delivery as a model gets it: whatever looks like a token or secret is masked, even if nobody holds it. */
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
