import * as v from 'valibot';
import { nothing, type PageCalls } from '../processes/pageProtocol.ts';
import type { Opens, Timeline } from './timeline.ts';

/** What a timeline is of. The webview keeps it over a reload, so it is checked like a message. */
export const timelineOfSchema = v.variant('kind', [
  v.object({ kind: v.literal('delivery'), id: v.string() }),
  v.object({ kind: v.literal('run'), id: v.string() }),
  v.object({ kind: v.literal('app'), projectId: v.string(), appName: v.string() }),
]);
export type TimelineOf = v.InferOutput<typeof timelineOfSchema>;

/** What the page shows first. */
interface TimelineContent {
  of: TimelineOf;
  timeline: Timeline;
}

/** What the page asks the host: what each request takes, as it is checked in the host. */
export const timelineCallSchemas = {
  load: nothing,
  open: v.object({ kind: v.picklist(['delivery', 'answer']), id: v.string() }),
};

/** The requests of the page to the host. */
export type TimelineHostCalls = {
  load: PageCalls<TimelineContent>['load'];
  open: { takes: Opens; gives: undefined };
};

/** The requests of the host to the page. */
export type TimelinePageCalls = {
  /** More is known. */
  show: { takes: Timeline; gives: undefined };
};
