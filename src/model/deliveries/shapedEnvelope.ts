import type { Shape } from './envelopeShape.ts';
import type { CallResult } from './webhookEnvelope.ts';
import { parseExactly } from '../json/exactJson.ts';
import { isJsonObject } from '../json/jsonObject.ts';

/** A call, and a generator for the UUIDs of its envelope. Without a result, a sample of the shape takes its place. */
type Call = Pick<CallResult, 'runId' | 'appName' | 'status' | 'error'> & {
  result?: string;
  newUuid: () => string;
};

/**
 * The envelope of a call in the shape of a real delivery: its fields and their types, with the values of this call.
 * A field without a value of this call gets a sample of its type: a text its kind or its field name, a number 0.
 * @param now Unix milliseconds
 */
export function shapedEnvelope(shape: Shape, call: Call, now: number): string {
  return JSON.stringify(valueOf(shape, '', call, now));
}

function valueOf(shape: Shape, name: string, call: Call, now: number): unknown {
  if (shape.holds === 'result' && call.result !== undefined) {
    return fitted(shape, name, parseExactly(call.result));
  }
  switch (shape.kind) {
    case 'object':
      return Object.fromEntries(shape.fields.map(([key, one]) => [key, valueOf(one, key, call, now)]));
    case 'list':
      return shape.of === undefined ? [] : [valueOf(shape.of, name, call, now)];
    case 'text':
      return textFor(shape, name, call, now);
    case 'number':
      return numberFor(shape, call, now);
    case 'boolean':
      return false;
    case 'null':
      return shape.holds === 'error' ? (call.error ?? null) : null;
  }
}

function textFor({ holds, word }: Shape & { kind: 'text' }, name: string, call: Call, now: number): string {
  switch (holds) {
    case 'runId':
      return call.runId;
    case 'appName':
      return call.appName;
    case 'error':
      return call.error ?? '';
    case 'isoTime':
      return new Date(now).toISOString();
    case 'uuid':
      return call.newUuid();
    case 'url':
      return 'https://example.com/';
    default:
      return word ?? name;
  }
}

function numberFor({ holds }: Shape, { status }: Call, now: number): number {
  switch (holds) {
    case 'status':
      return status;
    case 'unixSeconds':
      return Math.floor(now / 1000);
    case 'unixMs':
      return now;
    default:
      return 0;
  }
}

/** The app's answer, made to fit the types of a real answer. Fields that the shape does not have are kept. */
function fitted(shape: Shape, name: string, value: unknown): unknown {
  switch (shape.kind) {
    case 'object': {
      const own = isJsonObject(value) && !JSON.isRawJSON(value) ? value : {};
      const { fields } = shape;
      return { ...own, ...Object.fromEntries(fields.map(([key, one]) => [key, fitted(one, key, own[key])])) };
    }
    case 'list':
      if (Array.isArray(value))
        return value.map((one) => (shape.of ? fitted(shape.of, name, one) : (one as unknown)));
      return shape.of === undefined ? [] : [fitted(shape.of, name, undefined)];
    case 'text':
      if (typeof value === 'string') return value;
      return value === undefined ? (shape.word ?? name) : JSON.stringify(value);
    case 'number':
      return typeof value === 'number' || JSON.isRawJSON(value) ? value : 0;
    case 'boolean':
      return typeof value === 'boolean' ? value : false;
    case 'null':
      return value ?? null;
  }
}
