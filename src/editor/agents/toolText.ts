/** A longer text is of no use to a model, and would crowd out the rest of its context. */
const longest = 4000;

/** What a tool answers, as JSON text. Long strings are cut, and say so. */
export function toolText(value: unknown): string {
  return JSON.stringify(
    value ?? null,
    (_, one: unknown) =>
      typeof one === 'string' && one.length > longest
        ? `${one.slice(0, longest)}… (cut: ${longest} of ${one.length} characters)`
        : one,
    2,
  );
}
