import { bareName, isJsonObject } from '../json/jsonObject.ts';

/**
 * Bare names of fields that refer to a next page. The interface document does not show pagination
 * (service-interface.md, section 4.1).
 */
const nextNames = new Set([
  ...['next', 'nextpage', 'nextpagetoken', 'nexttoken', 'nextcursor', 'nexturl', 'nexturi', 'nextlink'],
  ...['nexthref', 'continue', 'continuationtoken', 'hasmore', 'hasnext', 'hasnextpage', 'more'],
  ...['istruncated', 'truncated', '@odata.nextlink'],
]);

/** Bare names of objects that may contain such a field, if it is not at the top level. */
const nextContainers = new Set([
  ...['links', 'pagination', 'paging', 'page', 'pageinfo', 'pages', 'meta', 'metadata', 'cursor', 'cursors'],
  ...['data', 'result', 'results', 'response'],
]);

const deepest = 2;

/** Whether a response refers to a next page. Empty values do not count. */
export function namesNextPage(body: unknown, depth = 0): boolean {
  if (!isJsonObject(body)) return false;
  for (const name in body) {
    const bare = bareName(name);
    if (nextNames.has(bare) && isPresent(body[name])) return true;
    if (depth < deepest && nextContainers.has(bare) && namesNextPage(body[name], depth + 1)) return true;
  }
  return false;
}

function isPresent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value !== 'false';
  if (typeof value === 'number') return value > 0;
  return value === true || (isJsonObject(value) && Object.values(value).some(isPresent));
}
