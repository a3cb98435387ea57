import * as v from 'valibot';
import type { Bundle } from '../text/l10n.ts';

/** The schema of a call that takes nothing. */
export const nothing = v.undefined();

/** The first call of every page: its content, and the messages of `vscode.l10n` by their English text. */
export interface PageCalls<Content = unknown> {
  load(): { content: Content; messages: Bundle };
}

/** What a call of a page takes, if it fits the protocol. @param schemas what each call takes */
export function readTakes(schemas: Readonly<Record<string, v.GenericSchema>>, call: string, takes: unknown) {
  return v.safeParse((Object.hasOwn(schemas, call) ? schemas[call] : undefined) ?? v.never(), takes);
}

/** The content that the host shows in a page with these calls. */
export type ContentOf<ToHost extends PageCalls> = ReturnType<ToHost['load']>['content'];
