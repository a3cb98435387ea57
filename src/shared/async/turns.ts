/** Runs actions one after the other: each waits until the previous one has settled. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  next<T>(action: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(action, action);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
