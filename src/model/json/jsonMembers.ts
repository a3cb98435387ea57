import { scanJson } from './jsonScanner.ts';

/** A member of an object, as it is written. */
export interface JsonMember {
  /** What its name means: escapes are read. */
  key: string;
  /** Name, colon and value. */
  text: string;
  value: string;
}

/** The members of the object that a JSON text is, even those of one name; none where it is no object. */
export function jsonMembers(text: string): JsonMember[] {
  const members: JsonMember[] = [];
  let isObject = false;
  /** Where the name of the current member stands, where its value begins, and where its last token ended. */
  let [nameStart, nameEnd, valueStart, last] = [-1, -1, -1, -1];
  const end = scanJson(text, (start, behind, depth) => {
    const token = text[start];
    if (depth === 0 && !isObject) {
      isObject = token === '{';
      return isObject;
    }
    const ends = depth === 0 || (depth === 1 && token === ',');
    if (ends && nameStart >= 0) {
      const key = JSON.parse(text.slice(nameStart, nameEnd)) as string;
      members.push({ key, text: text.slice(nameStart, last), value: text.slice(valueStart, last) });
    }
    if (ends) [nameStart, valueStart] = [-1, -1];
    else if (nameStart < 0) [nameStart, nameEnd] = [start, behind];
    else if (valueStart < 0 && start > nameEnd - 1 && token !== ':') valueStart = start;
    last = behind;
    return true;
  });
  return end === 'json' ? members : [];
}
