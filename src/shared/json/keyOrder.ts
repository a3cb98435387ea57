import { type Node, parseTree } from 'jsonc-parser';
import { fewJsonTokens } from './jsonText.ts';
import { nestsTooDeep } from './jsonScanner.ts';

/** JSON with more tokens is left unchanged: laying it out would keep the editor busy, and nobody reads it. */
export const mostTokens = 200_000;

/** Written in place of a value that always differs. */
export const differing = '…';

/**
 * Returns a JSON text with the keys of its objects in the order of another text. Keys that the other text lacks come
 * last, in their own order. Numbers and strings stay as written, and so does every key, even a duplicate. Members that
 * always differ have the same value in both, where both have them.
 * A text that is not JSON, is too long or too deep is returned unchanged.
 * @param alwaysDiffers by name; of the outermost object alone: further down, the name may be that of something else
 */
export function inKeyOrderOf(
  model: string,
  text: string,
  alwaysDiffers: (name: string) => boolean = () => false,
): string {
  const [order, root] = [treeOf(model), treeOf(text)];
  if (order === undefined || root === undefined) return text;
  const asWritten = ({ offset, length }: Pick<Node, 'offset' | 'length'>): string =>
    text.slice(offset, offset + length);
  const written = (node: Node, like: Node | undefined): string => {
    if (node.type === 'array') {
      const models = like?.type === 'array' ? (like.children ?? []) : [];
      const items = node.children?.map((item, index) => written(item, models[index] ?? models[0]));
      return `[${items?.join(',') ?? ''}]`;
    }
    if (node.type !== 'object') return asWritten(node);
    const places = new Map<string, { at: number; value: Node }>();
    for (const [at, [key, value]] of membersOf(like).entries()) {
      if (!places.has(key.value)) places.set(key.value, { at, value });
    }
    const placeOf = ([key]: Member): number => places.get(key.value)?.at ?? Number.MAX_VALUE;
    const members = membersOf(node).sort((one, other) => placeOf(one) - placeOf(other));
    const texts = members.map(([key, value]) => {
      const place = places.get(key.value);
      const differs = node === root && place !== undefined && alwaysDiffers(key.value);
      return `${asWritten(key)}:${differs ? JSON.stringify(differing) : written(value, place?.value)}`;
    });
    return `{${texts.join(',')}}`;
  };
  return written(root, order);
}

type Member = [key: Omit<Node, 'value'> & { value: string }, value: Node];

/** The members of an object; none of anything else. */
function membersOf(node: Node | undefined): Member[] {
  return node?.type === 'object' ? (node.children ?? []).map(({ children }) => children as Member) : [];
}

function treeOf(text: string): Node | undefined {
  const isRead = Array.isArray(fewJsonTokens(text, mostTokens)) && !nestsTooDeep(text);
  return isRead ? parseTree(text) : undefined;
}
