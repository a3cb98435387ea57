/** Deeper than any library wraps, and an end for causes that lead back to themselves. */
const deepest = 5;

/** An error, what caused it, and so on. Of one error for several addresses the first stands for all. */
export function* causes(error: unknown): Generator<Error> {
  let inner = error;
  for (let depth = 0; depth <= deepest && inner instanceof Error; depth += 1) {
    yield inner;
    inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
  }
}
