import * as v from 'valibot';
import type { Bundle } from '../text/l10n.ts';
import type { Calls } from './channel.ts';

/** Of a request that takes nothing. */
export const nothing = v.object({});

/** What every page asks first: what it shows, and the messages of `vscode.l10n`, by their English text. */
export interface PageCalls<Content = unknown> extends Calls {
  load: { takes: object; gives: { content: Content; messages: Bundle } };
}

/** What the host shows in a page that asks for this. */
export type ContentOf<ToHost extends PageCalls> = ToHost['load']['gives']['content'];

const id = v.pipe(v.number(), v.safeInteger());

/**
 * A message as the script of a page sends it (channel.ts). What does not fit is refused before it is looked at.
 * @param calls what each request of the page takes, `load` among them
 */
export function pageMessageSchema<Takes extends v.GenericSchema>(calls: Record<string, Takes>) {
  const requests = Object.entries(calls).map(([name, takes]) =>
    v.object({ kind: v.literal('request'), id, name: v.literal(name), takes }),
  );
  return v.variant('kind', [
    v.variant('name', requests),
    v.object({ kind: v.literal('reply'), id, gives: v.optional(v.unknown()) }),
    v.object({
      kind: v.literal('failure'),
      id,
      failure: v.object({ message: v.string(), forUser: v.boolean() }),
    }),
  ]);
}
