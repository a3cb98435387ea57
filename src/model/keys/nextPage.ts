import { bareName, isJsonObject } from '../json/jsonObject.ts';

/** By which names answers tell that there is more; pagination is not shown (service-interface.md, section 4.1). */
const nextNames = new Set([
  ...['next', 'nextpage', 'nextpagetoken', 'nexttoken', 'nextcursor', 'nexturl', 'nexturi', 'nextlink'],
  ...['nexthref', 'continue', 'continuationtoken', 'hasmore', 'hasnext', 'hasnextpage', 'more'],
  ...['istruncated', 'truncated', '@odata.nextlink'],
]);

/** What they stand in, if not at the top. */
const aroundNext = new Set([
  ...['links', 'pagination', 'paging', 'page', 'pageinfo', 'pages', 'meta', 'metadata', 'cursor', 'cursors'],
  ...['data', 'result', 'results', 'response'],
]);

const deepest = 2;

/** Whether an answer names a next page. An empty value names none. */
export function namesNextPage(body: unknown, depth = 0): boolean {
  if (!isJsonObject(body)) return false;
  for (const name in body) {
    const bare = bareName(name);
    if (nextNames.has(bare) && isSome(body[name])) return true;
    if (depth < deepest && aroundNext.has(bare) && namesNextPage(body[name], depth + 1)) return true;
  }
  return false;
}

function isSome(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value !== 'false';
  if (typeof value === 'number') return value > 0;
  return value === true || (isJsonObject(value) && Object.values(value).some(isSome));
}
