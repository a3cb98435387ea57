const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** An entity of HTML: its digits, its hexadecimal digits, or its name. */
export const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi;

/** A text of HTML with its entities as the characters that they stand for. One that is not known stays. */
export function withoutEntities(html: string): string {
  return html.replaceAll(entity, (all, ...parts: string[]) => {
    const [decimal, hex, name = ''] = parts;
    if (decimal === undefined && hex === undefined) return characters[name.toLowerCase()] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
