/** Deeper than any library nests causes. Also stops at circular causes. */
const deepest = 5;

/** An error and its chain of causes. An AggregateError (one error per address) continues with its first error. */
export function* causes(error: unknown): Generator<Error> {
  let inner = error;
  for (let depth = 0; depth <= deepest && inner instanceof Error; depth += 1) {
    yield inner;
    inner = inner instanceof AggregateError ? inner.errors[0] : inner.cause;
  }
}
