/** What the page has and Node has not. */
interface InPage {
  getComputedStyle: (of: unknown) => { color: string };
}

/** The colour of an element's text. Runs in the page. */
export const colourOf = (element: unknown) =>
  (globalThis as unknown as InPage).getComputedStyle(element).color;
