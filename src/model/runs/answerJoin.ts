import type { Delivery } from '../deliveries/delivery.ts';
import type { Run } from './run.ts';
import { isObject, parsed } from '../json/exactJson.ts';

/** The maximum number of ended runs, and of deliveries, that wait for each other. */
const keep = 100;
/** The maximum number of joined deliveries whose repeats are still recognised. */
const keepJoined = 1000;

/** How long after its end a cancelled or failed run may still be delivered, in milliseconds. */
const unansweredMs = 15 * 60_000;

type Waiting =
  | { kind: 'running' }
  /** The content of its delivery is not known. `until`: in milliseconds since the epoch. */
  | { kind: 'unanswered'; until: number }
  /** `evidence`: the text by which the answer is recognised in its delivery. */
  | { kind: 'answered'; evidence: string }
  /** Its answer holds nothing to recognise it by but the id of the run. */
  | { kind: 'named' };

interface Arrived {
  /** Milliseconds since the epoch. */
  at: number;
  /** The evidence in its body, computed on first use. */
  evidence?: ReadonlySet<string>;
}

/**
 * Joins runs to deliveries where the answer or the delivery has no run id: by the app's answer, which the delivery
 * contains, or by the run id that the answer names and that the delivery has as its request id. Only unambiguous pairs
 * are joined: the delivery is verified and arrived after the run began, no other run has the same answer, and no run
 * whose answer is not known could match.
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

  /** Notes the start of a run whose delivery goes to this listener. */
  begun(run: Run): void {
    this.#runs.set(run, { kind: 'running' });
  }

  /** @param answer its text; undefined if it is not text */
  answered(run: Run, answer: string | undefined): void {
    const evidence = answer === undefined ? undefined : answerEvidence(answer);
    const named: Waiting | undefined = run.runId === undefined ? undefined : { kind: 'named' };
    this.#end(run, evidence === undefined ? named : { kind: 'answered', evidence });
  }

  /** Notes that a run got no answer, or not all of it. @param at milliseconds since the epoch */
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
    dropOldest(this.#deliveries, keep);
    this.#tryJoin(delivery, arrived);
  }

  #end(run: Run, waiting: Waiting | undefined): void {
    if (this.#runs.get(run)?.kind !== 'running') return;
    this.#runs.delete(run);
    if (waiting !== undefined && run.delivery === undefined) this.#runs.set(run, waiting);
    const ended = [...this.#runs].filter(([, { kind }]) => kind !== 'running');
    for (const [old] of ended.slice(0, -keep)) this.#runs.delete(old);
    for (const [delivery, arrived] of this.#deliveries) this.#tryJoin(delivery, arrived);
  }

  #tryJoin(delivery: Delivery, arrived: Arrived): void {
    const run = [...this.#runs.keys()].find((one) => isNamed(one, delivery, arrived));
    if (run !== undefined) {
      this.#joinTo(run, delivery);
      return;
    }
    const [only, ...others] = [...this.#runs].filter(([one, waiting]) =>
      isPossible(one, waiting, delivery, arrived),
    );
    if (only === undefined || others.length > 0 || only[1].kind !== 'answered') return;
    this.#joinTo(only[0], delivery);
  }

  #joinTo(run: Run, delivery: Delivery): void {
    this.#runs.delete(run);
    this.#deliveries.delete(delivery);
    this.#joined.set(delivery.id, run);
    dropOldest(this.#joined, keepJoined);
    this.#join(run, delivery);
  }
}

/** Whether a delivery without a run id has that of the run as its request id. */
function isNamed(run: Run, { runId, requestId }: Delivery, arrived: Arrived): boolean {
  const isOpen = run.delivery === undefined && run.runId !== undefined && run.startedAt <= arrived.at;
  return isOpen && runId === undefined && requestId === run.runId;
}

function isPossible(run: Run, waiting: Waiting, delivery: Delivery, arrived: Arrived): boolean {
  // If both have a run id, only that id joins them.
  const isOpen = run.delivery === undefined && (run.runId === undefined || delivery.runId === undefined);
  if (!isOpen || run.startedAt > arrived.at) return false;
  switch (waiting.kind) {
    case 'named':
      return false;
    case 'running':
      return true;
    case 'unanswered':
      return arrived.at <= waiting.until;
    case 'answered':
      arrived.evidence ??= evidenceIn(delivery.body);
      return arrived.evidence.has(waiting.evidence);
  }
}

/** Deletes the oldest entries, down to `most`. */
function dropOldest<K>(known: Map<K, unknown>, most: number): void {
  for (const oldest of known.keys()) {
    if (known.size <= most) return;
    known.delete(oldest);
  }
}

/** In characters. Shorter answers are in many deliveries by chance: `{}`, `true`, `"ok"`. */
const leastLength = 12;
/** In characters. Longer answers are not kept for the comparison. */
const mostLength = 64 * 1024;
/** In characters. A longer delivery is not searched. */
const mostSearched = 512 * 1024;
/** How deep a delivery is searched. The interface document names "the app's response", but not its place. */
const depth = 3;

/**
 * The text by which an answer is recognised in its delivery, which contains it (service-interface.md, section 6): the
 * same for the same JSON, however that is laid out. Undefined if it is too short to be distinctive, or too long.
 */
export function answerEvidence(text: string): string | undefined {
  const evidence = canonical(parsed(text) ?? text);
  return evidence.length < leastLength || evidence.length > mostLength ? undefined : evidence;
}

/** The evidence of every answer that a delivery's body may contain, as a value or as a text. */
export function evidenceIn(deliveryBody: string): ReadonlySet<string> {
  const found = new Set<string>();
  const whole = deliveryBody.length > mostSearched ? undefined : parsed(deliveryBody);
  let level: unknown[] = whole === undefined ? [] : [whole];
  for (let deep = 0; deep <= depth; deep += 1) {
    for (const value of level) {
      const evidence = answerEvidence(typeof value === 'string' ? value : canonical(value));
      if (evidence !== undefined) found.add(evidence);
    }
    level = level.flatMap((value) => (isObject(value) ? Object.values(value) : []));
  }
  return found;
}

/** JSON with its keys sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}
