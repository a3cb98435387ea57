import { type Node, parseTree, visit } from 'jsonc-parser';
import type { TextPlace } from '../text/textPlace.ts';
import type { JsonPath } from './jsonCursor.ts';

/** Where a value is written in a JSON text. */
export interface JsonPlace {
  /** Offsets into the text. */
  start: number;
  end: number;
  /** Where its key begins, or else the value. */
  at: TextPlace;
}

interface Written extends JsonPlace {
  inner?: Map<string | number, Written>;
}

/** The maximum number of values that are indexed. Later ones are not found. */
const mostValues = 20_000;

/**
 * Finds where the values of a JSON text are written. Of duplicate keys the last one counts, as in `JSON.parse`.
 * The text itself is not kept.
 * @param text valid JSON that does not nest too deep
 * @param closed a top-level key whose value is not searched
 */
export function jsonPlaces(text: string, closed?: string): (path: JsonPath) => JsonPlace | undefined {
  const root = read(text, closed);
  return (path) => path.reduce<Written | undefined>((parent, step) => parent?.inner?.get(step), root);
}

function read(text: string, closed: string | undefined): Written | undefined {
  let root: Written | undefined;
  let count = 0;
  let key: { name: string; at: TextPlace } | undefined;
  const open: Written[] = [];
  const add = (start: number, length: number, line: number, character: number): Written => {
    const one: Written = { start, end: start + length, at: key?.at ?? { line, character } };
    const parent = open.at(-1);
    root ??= one;
    count += 1;
    if (parent !== undefined && count <= mostValues) {
      parent.inner ??= new Map();
      parent.inner.set(key?.name ?? parent.inner.size, one);
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
      // The parser's name is a slice of the text, and would keep the whole text in memory.
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

/** A member of a JSON object, as written. */
export interface JsonMember {
  key: string;
  text: string;
  value: string;
  /** Where the member and its value begin, as offsets into the text. */
  start: number;
  valueStart: number;
}

/** The members of an object as written, duplicates included; empty if the text is not an object. */
export function jsonMembers(text: string): JsonMember[] {
  const written = ({ offset, length }: Node) => text.slice(offset, offset + length);
  const root = parseTree(text);
  const members = root?.type === 'object' ? (root.children ?? []) : [];
  return members.flatMap((member) => {
    const [key, value] = member.children ?? [];
    if (key === undefined || value === undefined) return [];
    const places = { start: member.offset, valueStart: value.offset };
    return [{ key: String(key.value), text: written(member), value: written(value), ...places }];
  });
}
