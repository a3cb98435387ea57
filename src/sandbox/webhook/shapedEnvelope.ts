import { randomUUID } from 'node:crypto';
import type { Shape } from '../../model/deliveries/envelopeShape.ts';
import type { CallResult } from '../../model/deliveries/webhookEnvelope.ts';
import { parseExactly } from '../../model/json/exactJson.ts';
import { isJsonObject } from '../../model/json/jsonObject.ts';

type Call = Pick<CallResult, 'runId' | 'appName' | 'status' | 'result' | 'error'>;

/**
 * The envelope of a call in the shape of a real delivery: its fields and their types, with the values of this call.
 * What this call has no value for gets one that tells its type: a text its own name, a number 0.
 * @param now Unix milliseconds
 */
export function shapedEnvelope(shape: Shape, call: Call, now: number): string {
  return JSON.stringify(valueOf(shape, '', call, now));
}

function valueOf(shape: Shape, name: string, call: Call, now: number): unknown {
  if (shape.holds === 'result') return fitted(shape, name, parseExactly(call.result));
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
      return randomUUID();
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

/** What the app answered, as far as it is of the types that a real answer has; what it has besides stays in it. */
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
