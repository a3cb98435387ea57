import { answerEvidence, evidenceIn } from './answerEvidence.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Run } from './run.ts';

/** How many answered runs, and how many deliveries, wait for each other at most. */
const keep = 100;
/** Joined deliveries whose repeats are still known. */
const keepJoined = 1000;

/** A run that was cancelled or failed may be delivered all the same, so long after, in milliseconds. */
const unansweredMs = 15 * 60_000;

type Waiting =
  | { kind: 'running' }
  /** What its delivery holds is not known. `until`: in milliseconds since the epoch. */
  | { kind: 'unanswered'; until: number }
  /** `evidence`: what the answer is known by in its delivery. */
  | { kind: 'answered'; evidence: string };

interface Arrived {
  /** Milliseconds since the epoch. */
  at: number;
  /** What is found in it, once that was asked for. */
  evidence?: ReadonlySet<string>;
}

/**
 * Joins runs to deliveries where no run id does, which answer or delivery may lack: by what the app answered,
 * which the delivery holds. Only what can be nothing else is joined: the delivery is verified and came after
 * the run began, no other run was answered the same, and none whose answer is not known could be the one.
 */
export class AnswerJoin {
  readonly #join: (run: Run, delivery: Delivery) => void;
  readonly #runs = new Map<Run, Waiting>();
  readonly #deliveries = new Map<Delivery, Arrived>();
  /** By the id of the delivery. */
  readonly #joined = new Map<string, Run>();

  constructor(join: (run: Run, delivery: Delivery) => void) {
    this.#join = join;
  }

  /** A run that is to be delivered to this listener has begun. */
  begun(run: Run): void {
    this.#runs.set(run, { kind: 'running' });
  }

  /** @param answer its text; undefined where it is no text */
  answered(run: Run, answer: string | undefined): void {
    const evidence = answer === undefined ? undefined : answerEvidence(answer);
    this.#end(run, evidence === undefined ? undefined : { kind: 'answered', evidence });
  }

  /** No answer came, or not the whole of it. @param at milliseconds since the epoch */
  unanswered(run: Run, at: number): void {
    this.#end(run, { kind: 'unanswered', until: at + unansweredMs });
  }

  noteDelivery(delivery: Delivery): void {
    if (delivery.verdict !== 'verified') return;
    if (delivery.repeatOf !== undefined) {
      const run = this.#joined.get(delivery.repeatOf);
      if (run !== undefined) this.#join(run, delivery);
      return;
    }
    const arrived = { at: Date.parse(delivery.receivedAt) };
    this.#deliveries.set(delivery, arrived);
    letGo(this.#deliveries, keep);
    this.#look(delivery, arrived);
  }

  #end(run: Run, waiting: Waiting | undefined): void {
    if (this.#runs.get(run)?.kind !== 'running') return;
    this.#runs.delete(run);
    if (waiting !== undefined && run.delivery === undefined) this.#runs.set(run, waiting);
    const ended = [...this.#runs].filter(([, { kind }]) => kind !== 'running');
    for (const [old] of ended.slice(0, -keep)) this.#runs.delete(old);
    for (const [delivery, arrived] of this.#deliveries) this.#look(delivery, arrived);
  }

  #look(delivery: Delivery, arrived: Arrived): void {
    const [only, ...others] = [...this.#runs].filter(([run, waiting]) =>
      isPossible(run, waiting, delivery, arrived),
    );
    if (only === undefined || others.length > 0 || only[1].kind !== 'answered') return;
    const [run] = only;
    this.#runs.delete(run);
    this.#deliveries.delete(delivery);
    this.#joined.set(delivery.id, run);
    letGo(this.#joined, keepJoined);
    this.#join(run, delivery);
  }
}

function isPossible(run: Run, waiting: Waiting, delivery: Delivery, arrived: Arrived): boolean {
  // Where both have a run id, that alone joins them.
  const isOpen = run.delivery === undefined && (run.runId === undefined || delivery.runId === undefined);
  if (!isOpen || run.startedAt > arrived.at) return false;
  switch (waiting.kind) {
    case 'running':
      return true;
    case 'unanswered':
      return arrived.at <= waiting.until;
    case 'answered':
      arrived.evidence ??= evidenceIn(delivery.body);
      return arrived.evidence.has(waiting.evidence);
  }
}

/** Deletes the oldest. */
function letGo<K>(known: Map<K, unknown>, most: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= most) return;
    known.delete(oldest);
  }
}
