import type * as vscode from 'vscode';
import { pageMessageSchema } from '../../model/processes/pageProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import {
  timelineCallSchemas,
  type TimelineHostCalls,
  type TimelineOf,
  type TimelinePageCalls,
} from '../../model/timeline/timelineProtocol.ts';
import type { Opens, Timeline } from '../../model/timeline/timeline.ts';
import type { ErrorSurface } from '../errors/errorSurface.ts';
import { PagePanel, type PageServices } from '../webview/pagePanel.ts';
import type { TimelineSource } from './timelineSource.ts';

const page = { name: 'timeline', messages: pageMessageSchema(timelineCallSchemas) };
/** What is known is told anew this often at most, in milliseconds. */
const tellEveryMs = 300;

export interface TimelineServices extends PageServices {
  source: TimelineSource;
  /** Shows what a mark is of. */
  open: (what: Opens) => Promise<void>;
  errors: ErrorSurface;
}

/** The picture of a run, of a delivery or of an app. It grows as more is known. */
export class TimelinePanel {
  readonly #page: PagePanel<TimelinePageCalls, TimelineHostCalls>;
  readonly #of: TimelineOf;
  readonly #services: TimelineServices;
  #timer: NodeJS.Timeout | undefined;

  constructor(panel: vscode.WebviewPanel, of: TimelineOf, services: TimelineServices) {
    this.#of = of;
    this.#services = services;
    const host = {
      title: t('Timeline'),
      load: async () => {
        const timeline = await services.source.read(of);
        // What came while it was read.
        this.#tellSoon();
        return { of, timeline };
      },
      handlers: { open: (what: Opens) => this.#open(what) },
      calledAs: t('The timeline'),
    };
    this.#page = new PagePanel<TimelinePageCalls, TimelineHostCalls>(panel, page, host, services);
    const changes = services.source.onDidChange(() => this.#tellSoon());
    panel.onDidDispose(() => {
      clearTimeout(this.#timer);
      changes.dispose();
    });
  }

  /** Shows what is known, and names the tab by it. */
  show(timeline: Timeline): void {
    this.#page.title = t('Timeline {0}', timeline.title);
    this.#page.tell('show', timeline);
  }

  #tellSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // Nobody sees a hidden one, and it asks anew when it is shown.
      if (this.#page.isLoaded) void this.#tell();
    }, tellEveryMs);
  }

  async #tell(): Promise<void> {
    try {
      this.show(await this.#services.source.read(this.#of));
    } catch (error) {
      // What it shows stays: the delivery is no longer kept, for instance.
      this.#services.log.debug(`The timeline: ${String(error)}`);
    }
  }

  async #open(what: Opens): Promise<undefined> {
    const { open, errors } = this.#services;
    const again = () => open(what);
    await again().catch((error: unknown) => errors.report(t('Opening it from the timeline'), error, again));
    return undefined;
  }
}
