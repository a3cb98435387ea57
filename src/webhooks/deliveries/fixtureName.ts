import type { Delivery } from '../../model/deliveries/delivery.ts';

/** A file name for a fixture, in plain letters whatever the delivery calls itself. */
export function fixtureName({ appName, runId, id }: Delivery): string {
  const plain = [appName ?? 'delivery', runId ?? id].join('-').toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'delivery'
  );
}
