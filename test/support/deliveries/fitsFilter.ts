import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { all, type DeliveryFilter } from '../../../src/deliveries/deliveryFilter.ts';
import { isTaken } from '../../../src/deliveries/forwardText.ts';
import { ageOf } from '../../../src/deliveries/find/age.ts';
import { hasHeader, headersHold } from '../../../src/deliveries/find/headerSearch.ts';

type OneOrMore<T> = T | readonly T[];

/**
 * What a filter says, in plain words of this language: the store, which says it in SQL, is held against it.
 * @param now Unix milliseconds
 */
export function fitsFilter(delivery: WholeDelivery, filter: DeliveryFilter, now: number): boolean {
  const { verdict, made, app, run, status, header, failed, refused, since, text } = filter;
  const { appName, runId, headers, forward } = delivery;
  const statusText = forward?.status?.toString();
  const anyOf = <T>(asked: OneOrMore<T> | undefined, fits: (one: T) => boolean): boolean =>
    all(asked).length === 0 || all(asked).some(fits);
  return (
    anyOf(verdict, (one) => one === delivery.verdict && (one !== 'verified' || !delivery.madeHere)) &&
    (made === undefined || delivery.madeHere === true) &&
    anyOf(app, (one) => one === appName) &&
    anyOf(run, (one) => runId?.toLowerCase().startsWith(one.toLowerCase()) === true) &&
    anyOf(status, (one) => statusText !== undefined && statusPattern(one).test(statusText)) &&
    (refused !== true || delivery.answered === 401) &&
    (failed !== true || (forward !== undefined && !isTaken(forward))) &&
    (since === undefined || Date.parse(delivery.receivedAt) >= now - ageOf(since)) &&
    all(header).every((one) => hasHeader(headers, one)) &&
    all(text).every((one) => holdsText(delivery, one.toLowerCase()))
  );
}

function statusPattern(status: string): RegExp {
  return new RegExp(`^${status.replaceAll(/x/gi, '\\d')}$`);
}

/** @param text in lower case */
function holdsText(
  { path, runId, appName, headers, body, bodyEncoding }: WholeDelivery,
  text: string,
): boolean {
  const texts = [path, runId, appName];
  if (bodyEncoding === undefined) texts.push(body);
  return texts.some((one) => one?.toLowerCase().includes(text)) || headersHold(headers, text);
}
