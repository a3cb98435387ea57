import * as v from 'valibot';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { jsonMistake } from '../../model/json/jsonMistake.ts';
import { isCredentialHeader } from '../../model/masking/masking.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { valueProblem } from '../../model/text/valueProblem.ts';
import { bodyOf } from './deliveryBody.ts';

/**
 * A webhook request as a JSON file of the workspace: what a test feeds to a handler. The body is text, or
 * base64 where it is not UTF-8, and never parsed: its bytes are what was signed.
 */
export interface Fixture {
  method: string;
  /** The request target, query included. */
  path: string;
  headers: Record<string, string>;
  body: string;
  bodyEncoding?: 'base64';
}

const schema = v.object({
  method: v.optional(v.pipe(v.string(), v.regex(/^[A-Z]+$/)), 'POST'),
  path: v.optional(v.pipe(v.string(), v.startsWith('/')), '/'),
  headers: v.optional(v.record(v.string(), v.string()), {}),
  body: v.string(),
  bodyEncoding: v.exactOptional(v.literal('base64')),
});

/** A delivery as a fixture. Credentials are left out: a fixture is committed. */
export function fixtureOf({ method, path, headers, body, bodyEncoding }: Delivery): Fixture {
  const kept = Object.entries(headers).filter(([name]) => !isCredentialHeader(name));
  return {
    method,
    path,
    headers: Object.fromEntries(kept),
    body,
    ...(bodyEncoding && { bodyEncoding }),
  };
}

/** @throws UserError where the text is not a fixture */
export function readFixture(text: string): Fixture & { bytes: Buffer } {
  const read = v.safeParse(schema, parseJson(text));
  if (read.success) return { ...read.output, bytes: bodyOf(read.output) };
  throw new UserError(valueProblem(read.issues[0], 'JSON'));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(t('It is not JSON. {0}', jsonMistake(text)), { cause: error });
  }
}

/** A file name for a fixture, in plain letters whatever the delivery calls itself. */
export function fixtureName({ appName, runId, id }: Delivery): string {
  const plain = [appName ?? 'delivery', runId ?? id].join('-').toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'delivery'
  );
}
