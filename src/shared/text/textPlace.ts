/** A place in a text: lines and UTF-16 units within them, both counted from 0. */
export interface TextPlace {
  line: number;
  character: number;
}

/** Converts offsets of a text to places, with the line ends that the editor knows: `\n`, `\r\n` and `\r`. */
export function placeFinder(text: string): (offset: number) => TextPlace {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return (offset) => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >>> 1;
      if ((starts[middle] ?? 0) <= offset) line = middle;
      else end = middle;
    }
    return { line, character: offset - (starts[line] ?? 0) };
  };
}
