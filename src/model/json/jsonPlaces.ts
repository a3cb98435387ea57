import { type Node, parseTree } from 'jsonc-parser';
import type { JsonPath } from './jsonCursor.ts';
import { nestsTooDeep } from './jsonDepth.ts';

/** Where the value of a JSON text is written, as offsets, with that of its key where it has one. */
export interface JsonPlace {
  start: number;
  end: number;
  keyStart?: number;
}

/**
 * Finds where the values of a JSON text are written. Of a key that is there twice the last counts, as it does for
 * `JSON.parse`. Nothing is found in a text that nests too deep.
 */
export function jsonPlaces(text: string): (path: JsonPath) => JsonPlace | undefined {
  const root = nestsTooDeep(text) ? undefined : parseTree(text);
  return (path) => {
    let node = root;
    let keyStart: number | undefined;
    for (const step of path) {
      const found = node && stepInto(node, step);
      node = found?.[0];
      keyStart = found?.[1]?.offset;
    }
    if (node === undefined) return undefined;
    return {
      start: node.offset,
      end: node.offset + node.length,
      ...(keyStart !== undefined && { keyStart }),
    };
  };
}

function stepInto(
  { type, children = [] }: Node,
  step: string | number,
): [value: Node | undefined, key?: Node | undefined] {
  if (type === 'array') return [typeof step === 'number' ? children[step] : undefined];
  if (type !== 'object') return [undefined];
  const member = children.findLast(({ children: pair }) => pair?.[0]?.value === step);
  const [key, value] = member?.children ?? [];
  return [value, key];
}
