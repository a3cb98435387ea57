import { visit } from 'jsonc-parser';
import type { TextPlace } from '../text/textPlace.ts';
import type { JsonPath } from './jsonCursor.ts';

/** Where the value of a JSON text is written. */
export interface JsonPlace {
  /** As offsets. */
  start: number;
  end: number;
  /** Where its key begins, or else the value. */
  at: TextPlace;
}

interface Written extends JsonPlace {
  inner?: Map<string | number, Written>;
}

/** So many values are remembered: none that comes after them is found. */
const mostValues = 20_000;

/**
 * Finds where the values of a JSON text are written. Of a key that is there twice the last counts, as it does for
 * `JSON.parse`. The text itself is not kept.
 * @param text that is JSON, and does not nest too deep
 * @param closed the key at the top in whose value nothing is looked for
 */
export function jsonPlaces(text: string, closed?: string): (path: JsonPath) => JsonPlace | undefined {
  const root = read(text, closed);
  return (path) => path.reduce<Written | undefined>((around, step) => around?.inner?.get(step), root);
}

function read(text: string, closed: string | undefined): Written | undefined {
  let root: Written | undefined;
  let count = 0;
  let key: { name: string; at: TextPlace } | undefined;
  const open: Written[] = [];
  const add = (start: number, length: number, line: number, character: number): Written => {
    const one: Written = { start, end: start + length, at: key?.at ?? { line, character } };
    const around = open.at(-1);
    root ??= one;
    count += 1;
    if (around !== undefined && count <= mostValues) {
      around.inner ??= new Map();
      around.inner.set(key?.name ?? around.inner.size, one);
    }
    key = undefined;
    return one;
  };
  const enter = (...place: Parameters<typeof add>): boolean => {
    const isClosed = open.length === 1 && key !== undefined && key.name === closed;
    open.push(add(...place));
    return !isClosed;
  };
  const leave = (start: number, length: number): void => {
    const one = open.pop();
    if (one !== undefined) one.end = start + length;
  };
  visit(text, {
    onObjectProperty: (_name, start, length, line, character) => {
      // What the parser gives is a part of the text, which would stay as long as the name does.
      const name = JSON.parse(text.slice(start, start + length)) as string;
      key = { name, at: { line, character } };
    },
    onLiteralValue: (_value, start, length, line, character) => add(start, length, line, character),
    onObjectBegin: (start, length, line, character) => enter(start, length, line, character),
    onArrayBegin: (start, length, line, character) => enter(start, length, line, character),
    onObjectEnd: leave,
    onArrayEnd: leave,
  });
  return root;
}
