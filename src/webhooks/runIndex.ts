import type { NotedRun } from '../model/listenerProtocol.ts';

/** How many runs are remembered for deliveries that are still to come. */
const remembered = 1000;

/** Which run a delivery belongs to, whichever of the two is known first. */
export class RunIndex {
  readonly #runs = new Map<string, NotedRun>();
  readonly #deliveries = new Map<string, Set<string>>();

  /** Remembers a run; returns the ids of its deliveries that are here already. */
  note(run: NotedRun): readonly string[] {
    this.#runs.delete(run.runId);
    this.#runs.set(run.runId, run);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > remembered && oldest !== undefined) this.#runs.delete(oldest);
    return [...(this.#deliveries.get(run.runId) ?? [])];
  }

  get(runId: string | undefined): NotedRun | undefined {
    return this.#runs.get(runId ?? '');
  }

  add(runId: string, deliveryId: string): void {
    const ofRun = this.#deliveries.get(runId) ?? new Set();
    this.#deliveries.set(runId, ofRun.add(deliveryId));
  }

  remove(runId: string | undefined, deliveryId: string): void {
    const ofRun = this.#deliveries.get(runId ?? '');
    if (ofRun?.delete(deliveryId) === true && ofRun.size === 0) this.#deliveries.delete(runId ?? '');
  }

  /** Forgets the deliveries; the runs stay. */
  clear(): void {
    this.#deliveries.clear();
  }
}
