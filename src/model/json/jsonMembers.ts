import { type Node, parseTree } from 'jsonc-parser';

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
