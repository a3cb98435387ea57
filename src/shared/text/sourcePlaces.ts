/** A place in a source file that a text names, as stack traces do. */
export interface SourcePlace {
  /** Where the name stands in the text. */
  start: number;
  end: number;
  /** A path or a `file:` URL, as it is written. */
  file: string;
  /** From 1. */
  line: number;
  column?: number;
}

/** How much of a text is searched, in characters, and how many places are found at most. */
const mostSearched = 256 * 1024;
const mostPlaces = 200;

/** `File "/app/handler.py", line 42` of Python; `/app/handler.ts:42:11` and `handler.rb:42` of others. */
const patterns =
  /\bFile \\?"([^"\n\\]{1,500})\\?", line (\d{1,7})|((?:file:\/\/|[A-Za-z]:(?=[\\/]))?[^\s"'()<>:[\]]{1,500}\.[A-Za-z]\w{0,7}):(\d{1,7})(?::(\d{1,7}))?/g;

/** The places in source files that a text names. */
export function sourcePlaces(text: string): SourcePlace[] {
  const places: SourcePlace[] = [];
  for (const match of text.slice(0, mostSearched).matchAll(patterns)) {
    const [all, quoted, quotedLine, plain, plainLine, column] = match;
    const file = quoted ?? plain ?? '';
    const place = {
      start: match.index,
      end: match.index + all.length,
      file,
      line: Number(quotedLine ?? plainLine),
    };
    places.push(column === undefined ? place : { ...place, column: Number(column) });
    if (places.length === mostPlaces) break;
  }
  return places;
}
