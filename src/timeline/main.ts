import { startPage } from '../page/startPage.ts';
import type { TimelineHostCalls, TimelineOf, TimelinePageCalls } from '../model/timeline/timelineProtocol.ts';
import { type Look, TimelineView } from './timelineView.ts';

/** The state kept across reloads of the page. The host reads `of` from it. */
interface TimelineState extends Look {
  of: TimelineOf;
}

startPage<TimelineHostCalls, TimelinePageCalls, TimelineState, TimelineView>(
  ({ root, host, content: { of, timeline }, state, keep }) => {
    const look = { zoom: state?.zoom ?? 1, hasTable: state?.hasTable ?? false };
    keep({ of, ...look });
    return new TimelineView(root, timeline, look, {
      open: (what) => {
        host.request('open', what).catch((error: unknown) => console.error(error));
      },
      keep: (now) => keep({ of, ...now }),
    });
  },
  (view) => ({
    show: async (timeline) => {
      (await view).show(timeline);
    },
  }),
);
