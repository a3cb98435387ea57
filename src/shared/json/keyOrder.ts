import { fewJsonTokens } from './jsonText.ts';
import { nestsTooDeep } from './jsonScanner.ts';

/** A JSON value as its tokens, each as written. */
type Node =
  | { kind: 'scalar'; token: string }
  | { kind: 'list'; items: Node[] }
  | { kind: 'object'; members: Member[] };

interface Member {
  /** As written, with its quotes. */
  key: string;
  name: string;
  value: Node;
}

/** JSON with more tokens is left unchanged: laying it out would keep the editor busy, and nobody reads it. */
export const mostTokens = 200_000;

/**
 * Returns a JSON text with the keys of its objects in the order of another text. Keys that the other text lacks come
 * last, in their own order. Numbers and strings stay as written, and so does every key, even a duplicate. Members that
 * always differ have the same value in both, where both have them.
 * A text that is not JSON, is too long or too deep is returned unchanged.
 */
export function inKeyOrderOf(
  model: string,
  text: string,
  alwaysDiffers: (name: string) => boolean = () => false,
): string {
  const [order, value] = [treeOf(model), treeOf(text)];
  if (order === undefined || value === undefined) return text;
  return textOf(alike(ordered(value, order), order, alwaysDiffers));
}

/** Written in place of a value that always differs. */
export const differing = '…';

/** The members of the envelope alone: further down, the name may be that of something else. */
function alike(node: Node, model: Node, alwaysDiffers: (name: string) => boolean): Node {
  if (node.kind !== 'object' || model.kind !== 'object') return node;
  const names = new Set(model.members.map(({ name }) => name).filter(alwaysDiffers));
  const value: Node = { kind: 'scalar', token: JSON.stringify(differing) };
  return {
    kind: 'object',
    members: node.members.map((one) => (names.has(one.name) ? { ...one, value } : one)),
  };
}

function treeOf(text: string): Node | undefined {
  const tokens = fewJsonTokens(text, mostTokens);
  return Array.isArray(tokens) && !nestsTooDeep(text) ? readNode(tokens.values()) : undefined;
}

/** @param tokens of valid JSON: their order is not checked again */
function readNode(tokens: Iterator<string>, token = next(tokens)): Node {
  if (token === '[') {
    const items: Node[] = [];
    for (let one = next(tokens); one !== ']'; one = next(tokens)) {
      if (one !== ',') items.push(readNode(tokens, one));
    }
    return { kind: 'list', items };
  }
  if (token !== '{') return { kind: 'scalar', token };
  const members: Member[] = [];
  for (let key = next(tokens); key !== '}'; key = next(tokens)) {
    if (key === ',') continue;
    // Skip the colon.
    next(tokens);
    members.push({ key, name: JSON.parse(key) as string, value: readNode(tokens) });
  }
  return { kind: 'object', members };
}

function next(tokens: Iterator<string>): string {
  return tokens.next().value as string;
}

function ordered(node: Node, model: Node | undefined): Node {
  if (node.kind === 'list' && model?.kind === 'list') {
    const { items } = model;
    return { kind: 'list', items: node.items.map((item, index) => ordered(item, items[index] ?? items[0])) };
  }
  if (node.kind !== 'object' || model?.kind !== 'object') return node;
  const places = new Map<string, { at: number; value: Node }>();
  for (const [at, { name, value }] of model.members.entries()) {
    if (!places.has(name)) places.set(name, { at, value });
  }
  const placeOf = ({ name }: Member): number => places.get(name)?.at ?? model.members.length;
  const members = node.members.map((one) => ({
    ...one,
    value: ordered(one.value, places.get(one.name)?.value),
  }));
  return { kind: 'object', members: members.sort((one, other) => placeOf(one) - placeOf(other)) };
}

function textOf(node: Node): string {
  switch (node.kind) {
    case 'scalar':
      return node.token;
    case 'list':
      return `[${node.items.map(textOf).join(',')}]`;
    case 'object':
      return `{${node.members.map(({ key, value }) => `${key}:${textOf(value)}`).join(',')}}`;
  }
}
