/**
 * Prints what is being done, every ten seconds that it is still going on, and how long it took.
 * @param task as a clause: "installing the dependencies"
 */
export async function withProgress<T>(task: string, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.log(`• ${task} …`);
  const timer = setInterval(() => console.log(`  … ${task}, ${seconds()} s`), 10_000);
  try {
    const result = await work();
    if (seconds() > 0) console.log(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
