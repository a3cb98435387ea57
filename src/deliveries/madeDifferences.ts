import type { WholeDelivery } from '../contract/delivery.ts';
import { isObject, parsed } from '../shared/json/exactJson.ts';
import { signedName } from '../service/signature/signature.ts';

/** How many differences are listed. */
const mostDifferences = 20;
/** In characters. Longer bodies are not compared: the editor would stand still meanwhile. */
const mostCompared = 512 * 1024;

/** The last word of a key whose value is another one each time. */
const isOfEachTime = /^(?:id|at|ms|time|timestamp|date|duration|elapsed)$/i;

/** Headers that belong to a connection or to whoever passes a request on. They differ by the way, not by the sender. */
const ofTheWay =
  /^(?:host|connection|content-length|transfer-encoding|date|via|forwarded|user-agent|accept(?:-.*)?|x-forwarded-.*|x-real-ip|x-original-.*|cf-.*|cdn-.*|sec-fetch-.*|ngrok-.*|x-envoy-.*|x-amzn-.*|x-cloud-.*|x-request-start|trace(?:parent|state)|baggage|priority)$/;

/**
 * What a delivery of the service has otherwise than one that were made here from the response of its run: paths of JSON
 * such as `$.result[0].text`, and names of headers.
 */
export function madeDifferences(
  response: string,
  { headers, body, bodyEncoding }: Pick<WholeDelivery, 'headers' | 'body' | 'bodyEncoding'>,
): string[] {
  const found = Object.keys(headers).filter(
    (name) => !isMadeHere.has(name) && !signedName.test(name) && !ofTheWay.test(name),
  );
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') found.push('content-type');
  return [...bodyDifferences(response, bodyEncoding === undefined ? body : undefined), ...found].slice(
    0,
    mostDifferences,
  );
}

const isMadeHere = new Set(['content-type', 'x-request-id']);

/** @param body undefined if it is not text */
function bodyDifferences(response: string, body: string | undefined): string[] {
  if (response === body || response.length > mostCompared || Number(body?.length) > mostCompared) return [];
  const [made, sent] = [parsed(response), body === undefined ? undefined : parsed(body)];
  if (made === undefined || sent === undefined) return ['$'];
  const found: string[] = [];
  const compare = (one: unknown, other: unknown, path: string, key: string): void => {
    if (found.length >= mostDifferences) return;
    if (isObject(one) && isObject(other)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const inner = /^\w+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
        if (Object.hasOwn(one, name) !== Object.hasOwn(other, name)) found.push(inner);
        else compare(one[name], other[name], inner, name);
      }
    } else if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
      for (const [at, value] of one.entries()) compare(value, other[at], `${path}[${at}]`, key);
    } else if (JSON.stringify(one) !== JSON.stringify(other)) {
      const last = key.split(/[_-]|(?<=[a-z])(?=[A-Z])/).at(-1) ?? '';
      if (kindOf(one) !== kindOf(other) || !isOfEachTime.test(last)) found.push(path);
    }
  };
  compare(made, sent, '$', '');
  return found;
}

function kindOf(value: unknown): string {
  if (JSON.isRawJSON(value)) return 'number';
  return Array.isArray(value) ? 'list' : typeof value;
}
