import { type Trace, tracesIn, tracesOfJson } from './traces.ts';

/** The errors in the body of a response: a stack as text, in JSON, or on the error page of a framework. */
export function tracesOfBody(body: string): Trace[] {
  const start = body.trimStart();
  const inJson = /^[{["]/.test(start) ? tracesOfJson(start) : undefined;
  if (inJson !== undefined) return inJson;
  return start.startsWith('<') ? tracesIn(textOfHtml(body)) : tracesIn(body);
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The text of a page, that of its comments included: Flask has its stack there. */
function textOfHtml(html: string): string {
  return html
    .replace(/<(?:br|\/?(?:p|pre|div|li|tr|h\d|title|textarea))\b[^<>]{0,500}>/gi, '\n')
    .replace(/<!--(.*?)(?:-->|$)/gs, (_, comment: string) => comment.replaceAll('<', '&lt;'))
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '')
    .replace(
      /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,5}));/gi,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    );
}
