import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import type { Clock } from '../../model/processes/clock.ts';
import type { StoreFileOptions } from './storeFile.ts';

/** The options of a DeliveryStore. */
export interface DeliveryStoreOptions extends StoreFileOptions {
  keep: number;
  /** The system's clock by default. */
  clock?: Clock;
  /** Called with the reason when deliveries cannot be stored, and with undefined once they can be again. */
  onProblem: (problem: Error | undefined) => void;
  /** The revision up to which all windows were sent changes; absent if there are no windows. */
  toldUpTo?: () => number;
  /** Called when deliveries were added or changed. */
  onChanged: () => void;
  /** Why a delivery did not verify; called after it was answered. */
  reasonFor: (delivery: KeptDelivery) => string | undefined;
  /** Stands in for time and processor time of searches for reasons, in milliseconds. It never goes back. */
  workClock?: () => number;
}
