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

/** Bare names of objects that may contain such a field, or one of those below, if it is not at the top level. */
const containers = new Set([
  ...['links', 'pagination', 'paging', 'page', 'pageinfo', 'pages', 'meta', 'metadata', 'cursor', 'cursors'],
  ...['data', 'result', 'results', 'response', 'embedded', 'resultset', 'payload', 'resultinfo'],
  ...['paginginfo', 'paginationinfo', 'listmeta', 'listmetadata', 'pagemetadata', 'responsemetadata'],
]);

const deepest = 2;

/** Bare names of fields that say how many entries, or pages, there are in all. */
const totalNames = new Set([
  ...['total', 'totalcount', 'totalelements', 'totalitems', 'totalresults', 'totalrecords', 'totalsize'],
  ...['totalhits', 'totalrows', 'totalentries', 'itemcount', 'recordcount', 'resultcount', 'count'],
]);
const pageNames = new Set(['totalpages', 'pagecount', 'pagestotal', 'numpages', 'lastpage', 'pages']);
/** Those that say of themselves whether the page is the last one. */
const lastNames = new Set(['last', 'islast', 'lastpage', 'islastpage', 'complete', 'iscomplete', 'eof']);
const leftNames = new Set(['remaining', 'remainingitemcount']);

/**
 * Whether a response says that there are more entries than those in it: it refers to a next page, counts more, or
 * says that it is not the last one. Empty values do not count.
 */
export function saysMore(body: unknown, entries: number, depth = 0): boolean {
  if (!isJsonObject(body)) return false;
  for (const name in body) {
    const bare = bareName(name);
    const value = body[name];
    if (nextNames.has(bare) && isPresent(value)) return true;
    if (lastNames.has(bare) && (value === false || value === 'false')) return true;
    if (totalNames.has(bare) && numberIn(value) > entries) return true;
    if (pageNames.has(bare) && numberIn(value) > 1) return true;
    if (leftNames.has(bare) && numberIn(value) > 0) return true;
    if (depth < deepest && containers.has(bare) && saysMore(value, entries, depth + 1)) return true;
  }
  return false;
}

/** A number, also where it is written as a text or in an object: `{"total": {"value": 50}}`. */
function numberIn(value: unknown): number {
  if (typeof value === 'string' && /^\s*\d+\s*$/.test(value)) return Number(value);
  if (isJsonObject(value)) return numberIn(value['value']);
  return typeof value === 'number' ? value : 0;
}

function isPresent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && value !== 'false';
  if (typeof value === 'number') return value > 0;
  return value === true || (isJsonObject(value) && Object.values(value).some(isPresent));
}
