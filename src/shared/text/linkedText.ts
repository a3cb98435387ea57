/** A text, and the links in it. */
export interface LinkedText<Target> {
  text: string;
  links: readonly { to: Target; start: number; length: number }[];
}

/** A text that is a link as a whole. */
export function linkTo<Target>(to: Target, text: string): LinkedText<Target> {
  return { text, links: [{ to, start: 0, length: text.length }] };
}

/** Joins several texts. */
export function joined<Target>(
  parts: readonly (string | LinkedText<Target>)[],
  separator = '',
): LinkedText<Target> {
  let text = '';
  const links = parts.flatMap((part, index) => {
    if (index > 0) text += separator;
    const at = text.length;
    text += typeof part === 'string' ? part : part.text;
    return typeof part === 'string' ? [] : part.links.map((link) => ({ ...link, start: at + link.start }));
  });
  return { text, links };
}
