import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import type { StoreFileOptions } from './storeFile.ts';

/** What a DeliveryStore is given. */
export interface DeliveryStoreOptions extends StoreFileOptions {
  keep: number;
  /** Why deliveries cannot be kept; undefined once they can again. */
  onProblem: (problem: Error | undefined) => void;
  /** The revision up to which all windows were told; absent where there is nobody to tell. */
  toldUpTo?: () => number;
  /** Something was added or changed. */
  onChanged: () => void;
  /** Why a delivery did not verify; asked after it was answered. */
  reasonFor: (delivery: KeptDelivery) => string | undefined;
}
