/**
 * What is read of an element of the page. The tests are compiled without the DOM's types, so that none of
 * its names is taken for one of Node's.
 */
export interface ScreenElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): ScreenElement | null;
  getBoundingClientRect(): { top: number };
}

/** Reads the text of an editor's drawn lines, from the top: the page holds them in no order. */
export function readViewLines(elements: readonly ScreenElement[]): string[] {
  return elements
    .map((element) => ({ text: element.textContent ?? '', top: element.getBoundingClientRect().top }))
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text.replaceAll('\u00a0', ' ').trimEnd());
}
