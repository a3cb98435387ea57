import { startPage } from '../page/startPage.ts';
import type { TimelineHostCalls, TimelineOf, TimelinePageCalls } from '../model/timeline/timelineProtocol.ts';
import { TimelineView } from './timelineView.ts';

/** The state kept across reloads of the page, which the host reads. */
interface TimelineState {
  of: TimelineOf;
}

startPage<TimelineHostCalls, TimelinePageCalls, TimelineState, TimelineView>(
  ({ root, host, content: { of, timeline }, keep }) => {
    keep({ of });
    return new TimelineView(root, timeline, (what) => {
      host.request('open', what).catch((error: unknown) => console.error(error));
    });
  },
  (view) => ({
    show: async (timeline) => {
      (await view).show(timeline);
    },
  }),
);
