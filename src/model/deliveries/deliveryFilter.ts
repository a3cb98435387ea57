import type { Delivery, Verdict } from './delivery.ts';

/** Which deliveries are shown; what is absent does not narrow. */
export interface DeliveryFilter {
  verdict?: Verdict;
  /** The app's name. */
  app?: string;
  /**
   * A text in the body, the headers, the path, the app or the run, in any case of its letters. A body that is not
   * UTF-8 holds no text.
   */
  text?: string;
}

export function isEmptyFilter({ verdict, app, text }: DeliveryFilter): boolean {
  return verdict === undefined && app === undefined && text === undefined;
}

export function fitsFilter(delivery: Delivery, { verdict, app, text }: DeliveryFilter): boolean {
  if (verdict !== undefined && delivery.verdict !== verdict) return false;
  if (app !== undefined && delivery.appName !== app) return false;
  return text === undefined || holdsText(delivery, text.toLowerCase());
}

/** @param text in lower case */
function holdsText({ path, runId, appName, headers, body, bodyEncoding }: Delivery, text: string): boolean {
  const texts = [path, runId, appName, ...Object.entries(headers).flat()];
  if (bodyEncoding === undefined) texts.push(body);
  return texts.some((one) => one?.toLowerCase().includes(text));
}
