/** Does one thing after the other: each waits for the end of the one before, however that ends. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  next<T>(action: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(action, action);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
