import { findTokenLeaks, type LeakNeedles } from './tokenLeaks.ts';
import { placeFinder, type TextPlace } from '../shared/text/textPlace.ts';
import type { FileText } from './fileText.ts';

/** A token or secret in a file. */
export interface LeakPlace {
  kind: 'token' | 'webhookSecret';
  start: TextPlace;
  end: TextPlace;
}

/** A file, and the folder of the workspace that it lies in. */
export interface SearchedFile {
  path: string;
  folder: string;
}

export interface LeakSearchResult {
  /** How many files were searched. */
  files: number;
  /** In the order of the files. */
  found: { path: string; places: LeakPlace[] }[];
  /** How many files were not searched, by the reason. */
  skipped: { tooLarge: number; binary: number; unreadable: number };
  /** Why the search ended; `enough`: the limit was reached, and there may be more. */
  end: 'complete' | 'cancelled' | 'enough';
}

interface LeakSearchOptions {
  read: (file: SearchedFile) => Promise<FileText>;
  needles: LeakNeedles;
  signal: AbortSignal;
  tell: (done: number, of: number) => void;
  /** How many places to find at most. */
  most?: number;
}

/** How many files are read concurrently. */
const lanes = 8;

/** The default limit: more than anybody goes through, and no problem for the Problems panel. */
const enough = 1000;

/** Searches files for tokens and webhook secrets. Never rejects because a file cannot be read. */
export async function searchLeaks(
  files: readonly SearchedFile[],
  { read, needles, signal, tell, most = enough }: LeakSearchOptions,
): Promise<LeakSearchResult> {
  const found = new Map<number, LeakSearchResult['found'][number]>();
  const skipped = { tooLarge: 0, binary: 0, unreadable: 0 };
  let [done, searched, left] = [0, 0, most];
  const step = Math.ceil(files.length / 100);
  const waiting = files.entries();
  const lane = async () => {
    // All lanes share this iterator.
    for (const [index, file] of waiting) {
      const content = await read(file);
      done += 1;
      // At most a hundred times: each call goes to the window.
      if (done % step === 0 || done === files.length) tell(done, files.length);
      if (content.kind === 'text') {
        searched += 1;
        const all = leakPlaces(content.text, needles);
        const places = all.slice(0, Math.max(0, left));
        left -= all.length;
        if (places.length > 0) found.set(index, { path: file.path, places });
      } else if (content.kind !== 'none') {
        skipped[content.kind] += 1;
      }
      if (left <= 0 || signal.aborted) break;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const inOrder = [...found].sort(([a], [b]) => a - b);
  return {
    files: searched,
    found: inOrder.map(([, one]) => one),
    skipped,
    end: signal.aborted ? 'cancelled' : left < 0 || done < files.length ? 'enough' : 'complete',
  };
}

/** Finds the tokens and webhook secrets in a text, as positions by line. */
export function leakPlaces(text: string, needles: LeakNeedles): LeakPlace[] {
  const leaks = findTokenLeaks(text, needles);
  if (leaks.length === 0) return [];
  const placeOf = placeFinder(text);
  return leaks.map(({ kind, start, end }) => ({ kind, start: placeOf(start), end: placeOf(end) }));
}
