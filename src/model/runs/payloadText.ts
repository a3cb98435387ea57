import { jsonMembers } from '../json/jsonMembers.ts';
import { isJsonObject } from '../json/jsonObject.ts';
import { prettyJson } from '../json/jsonText.ts';
import { settingsKey } from './payload.ts';
import { parsed } from './recentValues.ts';
import type { RunInput } from './run.ts';

/** What a run sent, as a payload document. Each value of the body stays as written. */
export function payloadText({ path, query, method, headers, body }: RunInput): string {
  const block = {
    ...(path !== 'run' && { path }),
    ...(method !== 'POST' && { method }),
    ...(query && { query }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
  const settings = JSON.stringify(block);
  const value = body === undefined ? {} : parsed(body);
  const hasBlock = isJsonObject(value) && settingsKey in value;
  if (Object.keys(block).length === 0 && !hasBlock) return (body && prettyJson(body)) ?? body ?? '{}';
  const members = jsonMembers(body ?? '{}').map((one) => one.text);
  const text =
    isJsonObject(value) && !hasBlock
      ? `{${[`"${settingsKey}":${settings}`, ...members].join(',')}}`
      : `{"${settingsKey}":${settings.slice(0, -1)}${settings === '{}' ? '' : ','}"body":${body}}}`;
  return prettyJson(text) ?? text;
}
