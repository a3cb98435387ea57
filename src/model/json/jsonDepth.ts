import { scanJson } from './jsonScanner.ts';

/** The maximum number of open brackets. Nobody nests so deep, and the code that walks values is recursive. */
export const deepestJson = 500;

/** Whether a text that may be JSON nests too deep for its values to be walked. */
export function nestsTooDeep(text: string): boolean {
  let isTooDeep = false;
  scanJson(text, (_start, _end, depth) => {
    // guard S92: JSON that nests deeper than 500 levels is treated as text.
    isTooDeep = depth >= deepestJson;
    return !isTooDeep;
  });
  return isTooDeep;
}
