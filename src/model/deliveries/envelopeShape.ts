import { bareName, isJsonObject, type JsonObject } from '../json/jsonObject.ts';
import { nestsTooDeep } from '../json/jsonDepth.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/** The value of a run that a field of an envelope holds. */
export type HeldByField =
  | 'runId'
  | 'appName'
  | 'status'
  | 'result'
  | 'error'
  | 'isoTime'
  | 'unixSeconds'
  | 'unixMs'
  | 'uuid'
  | 'url';

/**
 * The shape of a JSON value: its fields and their types, in order, and which value of a run each holds. It contains
 * no values of the delivery, except the words of fields that name a kind, such as `"status": "completed"`.
 */
export type Shape = { holds?: HeldByField } & (
  | { kind: 'object'; fields: (readonly [name: string, shape: Shape])[] }
  /** `of` is the shape of the first element; absent if the list is empty. */
  | { kind: 'list'; of?: Shape }
  | { kind: 'text'; word?: string }
  | { kind: 'number' | 'boolean' | 'null' }
);

/** Envelope shapes by app name. */
export type ShapesByApp = Readonly<Record<string, Shape>>;

const mostFields = 1000;
const longestName = 200;

/** Fields whose word tells the kind of a delivery. Handlers branch on it. */
const wordFields = new Set(['status', 'state', 'event', 'type', 'kind', 'object', 'action', 'version']);
const word = /^[a-z][\w.-]{0,31}$/i;
/** Fields in which services put the app's answer, the likeliest first. */
const resultFields = ['result', 'output', 'response', 'data', 'payload', 'body'];

/**
 * The shape of the body of a delivery.
 * @param run what is known of the delivery's run
 * @throws UserError if the body is not a JSON object, or has more fields or longer names than any envelope
 */
export function shapeOf(body: string, run: { runId?: string; appName?: string }): Shape {
  const envelope = objectOf(body);
  let fields = 0;
  const learn = (value: unknown, name: string): Shape => {
    if (Array.isArray(value)) {
      return { kind: 'list', ...(value.length > 0 && { of: learn(value[0], name) }) };
    }
    if (isJsonObject(value)) {
      const entries = Object.entries(value);
      fields += entries.length;
      if (fields > mostFields || entries.some(([key]) => key.length > longestName)) {
        throw new UserError(
          t(
            'This body has more than {0} fields, or longer names than {1} characters: it cannot be a shape.',
            mostFields,
            longestName,
          ),
        );
      }
      return { kind: 'object', fields: entries.map(([key, one]) => [key, learn(one, key)] as const) };
    }
    if (typeof value === 'string') return textShape(value, bareName(name), run);
    if (typeof value === 'number') return { kind: 'number', ...held(heldByNumber(value, bareName(name))) };
    if (typeof value === 'boolean') return { kind: 'boolean' };
    return { kind: 'null', ...held(bareName(name) === 'error' ? 'error' : undefined) };
  };
  const shape = learn(envelope, '');
  const result = resultIn(shape);
  if (result !== undefined) result.holds = 'result';
  return shape;
}

function objectOf(body: string): JsonObject {
  let value: unknown;
  try {
    value = nestsTooDeep(body) ? undefined : JSON.parse(body);
  } catch {
    value = undefined;
  }
  if (isJsonObject(value)) return value;
  throw new UserError(t('Only a body that is an object of JSON can be the shape of what the sandbox sends.'));
}

function textShape(value: string, name: string, run: { runId?: string; appName?: string }): Shape {
  if (value === run.runId) return { kind: 'text', holds: 'runId' };
  if (value === run.appName || name === 'appname') return { kind: 'text', holds: 'appName' };
  if (name === 'error') return { kind: 'text', holds: 'error' };
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return { kind: 'text', holds: 'isoTime' };
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return { kind: 'text', holds: 'uuid' };
  if (/^https?:\/\//i.test(value)) return { kind: 'text', holds: 'url' };
  return { kind: 'text', ...(wordFields.has(name) && word.test(value) && { word: value }) };
}

function heldByNumber(value: number, name: string): HeldByField | undefined {
  if (/^(http)?status(code)?$/.test(name) && value >= 100 && value <= 599) return 'status';
  if (!Number.isInteger(value)) return undefined;
  // From the year 2001 to 2286.
  if (value >= 1e9 && value < 1e10) return 'unixSeconds';
  return value >= 1e12 && value < 1e13 ? 'unixMs' : undefined;
}

function held(holds: HeldByField | undefined): { holds?: HeldByField } {
  return holds === undefined ? {} : { holds };
}

/** The field that holds the app's answer: by the likeliest name, then the outermost; without the run's id in it. */
function resultIn(shape: Shape): Shape | undefined {
  for (const name of resultFields) {
    let level = [shape];
    while (level.length > 0) {
      const fields = level.flatMap((one) => (one.kind === 'object' ? one.fields : []));
      const found = fields.find(([key, one]) => bareName(key) === name && !holdsRunId(one));
      if (found !== undefined) return found[1];
      level = fields.map(([, one]) => one);
    }
  }
  return undefined;
}

function holdsRunId(shape: Shape): boolean {
  if (shape.kind === 'object') return shape.fields.some(([, one]) => holdsRunId(one));
  return shape.holds === 'runId';
}
