import { scanJson } from './jsonScanner.ts';

/** How many brackets may be open at a time. Nobody nests so deep, and what goes through values does so by recursion. */
export const deepestJson = 500;

/** Whether a text that may be JSON nests deeper than its values could be gone through. */
export function nestsTooDeep(text: string): boolean {
  let isTooDeep = false;
  scanJson(text, (_start, _end, depth) => {
    // guard: JSON that nests deeper than 500 levels is taken for text
    isTooDeep = depth >= deepestJson;
    return !isTooDeep;
  });
  return isTooDeep;
}
