import { withoutEntities } from '../../shared/text/htmlText.ts';
import { type Trace, tracesIn, tracesOfJson } from './traces.ts';

/** The errors in the body of a response: a stack as text, in JSON, or on the error page of a framework. */
export function tracesOfBody(body: string): Trace[] {
  const start = body.trimStart();
  const inJson = /^[{["]/.test(start) ? tracesOfJson(start) : undefined;
  if (inJson !== undefined) return inJson;
  return start.startsWith('<') ? tracesIn(textOfHtml(body)) : tracesIn(body);
}

/** The text of a page, that of its comments included: Flask has its stack there. */
function textOfHtml(html: string): string {
  const text = html
    .replace(/<(?:br|\/?(?:p|pre|div|li|tr|h\d|title|textarea))\b[^<>]{0,500}>/gi, '\n')
    .replace(/<!--(.*?)(?:-->|$)/gs, (_, comment: string) => comment.replaceAll('<', '&lt;'))
    .replace(/<\/?[a-z][^<>]{0,500}>/gi, '');
  return withoutEntities(text);
}
