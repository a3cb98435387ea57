import * as v from 'valibot';
import type { Bundle } from '../text/l10n.ts';
import type { Calls } from './channel.ts';

/** The parameters of a request that takes nothing. */
export const nothing = v.object({});

/** The first request of every page: its content, and the messages of `vscode.l10n` by their English text. */
export interface PageCalls<Content = unknown> extends Calls {
  load: { takes: object; gives: { content: Content; messages: Bundle } };
}

/** The content that the host shows in a page with these requests. */
export type ContentOf<ToHost extends PageCalls> = ToHost['load']['gives']['content'];

const id = v.pipe(v.number(), v.safeInteger());

/**
 * The schema of a message from the script of a page (channel.ts). Other messages are refused before anything reads
 * them.
 * @param calls the parameters of each request of the page, including `load`
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
