import type { Run } from '../../../src/service/runs/run.ts';

/** The files of runs in memory. It stores copies, as the disk does; its windows hear nothing of each other. */
export class MemoryRuns {
  readonly #texts = new Map<string, string>();

  all(): Run[] {
    return [...this.#texts.values()].map((text) => JSON.parse(text) as Run);
  }

  read(id: string): Run | undefined {
    return this.all().find((run) => run.id === id);
  }

  save(run: Run): Promise<void> {
    this.#texts.set(run.id, JSON.stringify(run));
    return Promise.resolve();
  }

  remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#texts.delete(id);
    return Promise.resolve();
  }

  follow(): void {
    // Nobody else writes.
  }

  dispose(): void {
    // Nothing is held.
  }
}
