import type { Delivery, Verdict } from './delivery.ts';

/** Which deliveries are shown; what is absent does not narrow. */
export interface DeliveryFilter {
  verdict?: Verdict;
  /** The app's name. */
  app?: string;
  /** A text in the body, in any case of its letters. A body that is not UTF-8 holds no text. */
  text?: string;
}

export function isEmptyFilter({ verdict, app, text }: DeliveryFilter): boolean {
  return verdict === undefined && app === undefined && text === undefined;
}

export function fitsFilter(delivery: Delivery, { verdict, app, text }: DeliveryFilter): boolean {
  if (verdict !== undefined && delivery.verdict !== verdict) return false;
  if (app !== undefined && delivery.appName !== app) return false;
  if (text === undefined) return true;
  return delivery.bodyEncoding === undefined && delivery.body.toLowerCase().includes(text.toLowerCase());
}
