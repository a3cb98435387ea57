import type { TextSize } from '../model/timeline/labels.ts';

/** How many text widths are cached. */
const mostKept = 5000;

/** Measures texts in the font of an element. Caches widths, because most texts are the same in each drawing. */
export function measuredText(element: Element): () => TextSize {
  const context = document.createElement('canvas').getContext('2d');
  const widths = new Map<string, number>();
  return () => {
    const { font, fontSize } = getComputedStyle(element);
    if (context !== null && context.font !== font) {
      context.font = font;
      widths.clear();
    }
    if (widths.size > mostKept) widths.clear();
    const width = (text: string): number => {
      const known = widths.get(text) ?? context?.measureText(text).width ?? 0;
      widths.set(text, known);
      return known;
    };
    return { width, line: Math.ceil(parseFloat(fontSize) * 1.4) };
  };
}
