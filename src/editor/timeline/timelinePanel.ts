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
/** The shortest time between two updates of the page, in milliseconds. */
const updateEveryMs = 300;

export interface TimelineServices extends PageServices {
  source: TimelineSource;
  /** Opens the answer or delivery that a mark stands for. */
  open: (what: Opens) => Promise<void>;
  errors: ErrorSurface;
}

/** The timeline of a run, a delivery or an app. It is updated as more becomes known. */
export class TimelinePanel {
  readonly #page: PagePanel<TimelinePageCalls, TimelineHostCalls>;
  readonly #of: TimelineOf;
  readonly #services: TimelineServices;
  #timer: NodeJS.Timeout | undefined;
  /** How many updates have begun, and the number of the one that is shown. */
  #begun = 0;
  #shown = 0;

  constructor(panel: vscode.WebviewPanel, of: TimelineOf, services: TimelineServices) {
    this.#of = of;
    this.#services = services;
    const host = {
      title: t('Timeline'),
      load: async () => {
        const timeline = await services.source.read(of);
        // Includes what arrived during the read.
        this.#updateSoon();
        return { of, timeline };
      },
      handlers: { open: (what: Opens) => this.#open(what) },
      calledAs: t('The timeline'),
    };
    this.#page = new PagePanel<TimelinePageCalls, TimelineHostCalls>(panel, page, host, services);
    const changes = services.source.onDidChange(() => this.#updateSoon());
    panel.onDidDispose(() => {
      clearTimeout(this.#timer);
      changes.dispose();
    });
  }

  /** Shows a timeline, and names the tab after it. */
  show(timeline: Timeline): void {
    this.#page.title = t('Timeline {0}', timeline.title);
    this.#page.tell('show', timeline);
  }

  #updateSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // A hidden page needs no update: it loads again when it is shown.
      if (this.#page.isLoaded) void this.#update();
    }, updateEveryMs);
  }

  async #update(): Promise<void> {
    const number = (this.#begun += 1);
    try {
      const timeline = await this.#services.source.read(this.#of);
      // One that began later may have been faster, and knows more.
      if (number < this.#shown) return;
      this.#shown = number;
      this.show(timeline);
    } catch (error) {
      // The page keeps its content. For example, the delivery is no longer kept.
      this.#services.log.debug(`The timeline: ${String(error)}`);
    }
  }

  async #open(what: Opens): Promise<undefined> {
    const { open, errors } = this.#services;
    const retry = () => open(what);
    await retry().catch((error: unknown) => errors.report(t('Opening it from the timeline'), error, retry));
    return undefined;
  }
}
