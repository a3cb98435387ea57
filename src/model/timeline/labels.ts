/** A rectangle of the picture, in pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Label extends Box {
  text: string;
}

/** Measures texts in the font of the picture. */
export interface TextSize {
  width(text: string): number;
  /** The height of a line. */
  line: number;
}

/** In pixels. A label further from its mark would seem to belong to another mark. */
const nearby = 40;
/** The space between a label and what is beside it, in pixels. */
const gap = 4;

/** A label to place, and the box of its mark. */
export interface Wanted<Key> {
  key: Key;
  text: string;
  beside: Box;
}

/** Where labels may be placed: beside their marks, and on some lines below. */
export interface LabelRoom {
  left: number;
  right: number;
  /** The top of the line that the marks are on. */
  y: number;
  /** The maximum number of lines below it. */
  linesBelow: number;
}

/**
 * Gives each label a place where it covers neither another label nor a mark. Earlier labels choose first, and a label
 * that finds no place is left out. Also returns how many lines below are used.
 */
export function placeLabels<Key>(
  wanted: readonly Wanted<Key>[],
  obstacles: readonly Box[],
  { left, right, y, linesBelow }: LabelRoom,
  size: TextSize,
): { labels: Map<Key, Label>; linesUsed: number } {
  const labels = new Map<Key, Label>();
  const taken = [...obstacles];
  let linesUsed = 0;
  for (const { key, text, beside } of wanted) {
    const width = size.width(text);
    const fits = (x: number, line: number): Label | undefined => {
      const box = { x, y: y + line * size.line, width, height: size.line, text };
      const isInside = x >= left && x + width <= right;
      return isInside && !taken.some((other) => overlap(box, other, gap)) ? box : undefined;
    };
    const below = Math.max(left, Math.min(beside.x, right - width));
    let found = fits(beside.x + beside.width + gap, 0);
    for (let line = 1; found === undefined && line <= linesBelow; line += 1) found = fits(below, line);
    found ??= fits(beside.x - gap - width, 0);
    found ??= afterObstacles(beside, right - width, (x) => fits(x, 0), taken);
    if (found === undefined) continue;
    linesUsed = Math.max(linesUsed, Math.round((found.y - y) / size.line));
    labels.set(key, found);
    taken.push(found);
  }
  return { labels, linesUsed };
}

/** A place after the obstacles beside a mark, if it is close enough that the label clearly belongs to the mark. */
function afterObstacles(
  beside: Box,
  rightmost: number,
  fits: (x: number) => Label | undefined,
  taken: readonly Box[],
): Label | undefined {
  const furthest = Math.min(rightmost, beside.x + beside.width + nearby);
  const ends = taken.map(({ x, width }) => x + width + gap).filter((x) => x > beside.x && x <= furthest);
  for (const x of ends.sort((a, b) => a - b)) {
    const found = fits(x);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether two boxes overlap, or are horizontally closer than `apart` pixels. */
export function overlap(a: Box, b: Box, apart = 0): boolean {
  const overlapsInX = a.x < b.x + b.width + apart && b.x < a.x + a.width + apart;
  return overlapsInX && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Cuts a text to a width. With `keepEnd` its end is kept, since the end tells ids apart. */
export function cutText(text: string, width: number, size: TextSize, keepEnd = false): string {
  if (size.width(text) <= width) return text;
  const letters = Array.from(text);
  let [fits, tooLong] = [0, letters.length];
  const cut = (count: number): string =>
    keepEnd ? `…${letters.slice(letters.length - count).join('')}` : `${letters.slice(0, count).join('')}…`;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (size.width(cut(middle)) <= width) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? '' : cut(fits);
}
