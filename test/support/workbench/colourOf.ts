/** The part of the DOM's globals used here; the tests are compiled without DOM types. */
interface InPage {
  getComputedStyle: (of: unknown) => { color: string };
}

/** The text colour of an element. Runs in the page. */
export const colourOf = (element: unknown) =>
  (globalThis as unknown as InPage).getComputedStyle(element).color;
