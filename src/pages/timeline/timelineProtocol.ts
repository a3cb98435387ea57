import * as v from 'valibot';
import { nothing, type PageCalls } from '../../shared/rpc/pageProtocol.ts';
import type { Opens, Timeline } from '../../contract/timeline.ts';

/** The subject of a timeline. The webview keeps it across reloads, so it is validated like a message. */
export const timelineOfSchema = v.variant('kind', [
  v.object({ kind: v.literal('delivery'), id: v.string() }),
  v.object({ kind: v.literal('run'), id: v.string() }),
  v.object({ kind: v.literal('app'), projectId: v.string(), appName: v.string() }),
]);
export type TimelineOf = v.InferOutput<typeof timelineOfSchema>;

/** What the page shows. */
export interface TimelineContent {
  of: TimelineOf;
  timeline: Timeline;
  /** What is said where there is nothing to draw. */
  emptyText: string;
}

/** The calls of the page to the host. */
export interface TimelineHostCalls extends PageCalls<TimelineContent> {
  open(what: Opens): void;
}

/** What each of them takes. The host checks it. */
export const timelineSchemas: Record<keyof TimelineHostCalls, v.GenericSchema> = {
  load: nothing,
  open: v.object({
    kind: v.picklist(['delivery', 'response', 'answer']),
    id: v.string(),
    at: v.exactOptional(v.string()),
  }),
};

/** The calls of the host to the page. */
export interface TimelinePageCalls {
  /** The timeline has changed, or another one is to be shown. */
  show(content: TimelineContent): void;
}
