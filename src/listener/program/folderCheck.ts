const everyMs = 1000;

/**
 * Checks a folder each second, and tells when the checks begin to fail, and once they succeed again.
 * @param onChange called with the reason, and with undefined once the checks succeed
 * @returns a function that ends it
 */
export function checkEachSecond(
  check: () => Promise<void>,
  onChange: (problem: string | undefined) => void,
): () => void {
  let told: string | undefined;
  let isOver = false;
  const note = (problem?: string): void => {
    if (problem === told || isOver) return;
    told = problem;
    onChange(problem);
  };
  const timer = setInterval(() => {
    check().then(
      () => note(),
      (error: unknown) => note(error instanceof Error ? error.message : String(error)),
    );
  }, everyMs);
  return () => {
    clearInterval(timer);
    // A check may be under way.
    isOver = true;
  };
}
