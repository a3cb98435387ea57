/**
 * The part of the DOM's `Element` that the tests use. They are compiled without DOM types, whose globals could be
 * mistaken for Node's.
 */
export interface ScreenElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelector(selector: string): ScreenElement | null;
  getBoundingClientRect(): { top: number };
}

/** Reads the rendered lines of an editor from top to bottom. Their order in the DOM is arbitrary. */
export function readViewLines(elements: readonly ScreenElement[]): string[] {
  return elements
    .map((element) => ({ text: element.textContent ?? '', top: element.getBoundingClientRect().top }))
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text.replaceAll('\u00a0', ' ').trimEnd());
}
