import * as v from 'valibot';
import type { Remedy } from '../text/userError.ts';

const failureSchema = v.object({
  message: v.string(),
  /** Whether it is a UserError. */
  forUser: v.boolean(),
  remedies: v.optional(v.custom<readonly Remedy[]>(Array.isArray)),
  /** The code of Node's errors. */
  code: v.optional(v.string()),
  stack: v.optional(v.string()),
});

/** An error as it is sent. */
export type Failure = v.InferOutput<typeof failureSchema>;

/**
 * A message of birpc: a question with its method and arguments, or the answer to one. Checked at ports that strangers
 * may reach. By itself, so that the bundles of pages do without it.
 */
export const messageSchema = v.variant('t', [
  v.object({ t: v.literal('q'), i: v.string(), m: v.string(), a: v.array(v.unknown()) }),
  v.object({ t: v.literal('s'), i: v.string(), r: v.optional(v.unknown()), e: v.optional(failureSchema) }),
]);

export type Message = v.InferOutput<typeof messageSchema>;
