import { clockTime, durationText } from '../../shared/text/durationText.ts';
import { repeat } from 'lit/directives/repeat.js';
import { type TemplateResult, html, nothing, render } from 'lit/html.js';
import { startPage } from '../startPage.ts';
import type {
  TimelineContent,
  TimelineHostCalls,
  TimelineOf,
  TimelinePageCalls,
} from './timelineProtocol.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import {
  type Lane,
  type TimelineMark,
  type Opens,
  type Timeline,
  endOf,
  tracks,
} from '../../contract/timeline.ts';
import {
  type Break,
  laneScale,
  markText,
  type PlacedMark,
  sinceText,
  tookText,
  trackName,
} from './laneScale.ts';

/** The state kept across reloads of the page, which the host reads. */
interface TimelineState {
  of: TimelineOf;
}

/** The view, and what keeps its subject. */
interface Shown {
  view: TimelineView;
  setState: (state: TimelineState) => void;
}

startPage<TimelineHostCalls, TimelinePageCalls, TimelineState, Shown>(
  ({ root, host, content, setState }) => {
    setState({ of: content.of });
    const view = new TimelineView(root, content, (what) => {
      host.open(what).catch((error: unknown) => console.error(error));
    });
    return { view, setState };
  },
  (shown) => ({
    show: async (content) => {
      const { view, setState } = await shown;
      setState({ of: content.of });
      view.show(content);
    },
  }),
);

/** How often the page is drawn again while something is under way, in milliseconds. */
const redrawEveryMs = 500;

/** The page: a lane for each run, and the same as a table. */
class TimelineView {
  readonly #root: HTMLElement;
  readonly #open: (what: Opens) => void;
  #content: TimelineContent;
  #updatedAt = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, content: TimelineContent, open: (what: Opens) => void) {
    this.#root = root;
    this.#content = content;
    this.#open = open;
    document.addEventListener('visibilitychange', () => this.#draw());
    this.#draw();
  }

  /** Shows an updated timeline. */
  show(content: TimelineContent): void {
    this.#content = content;
    this.#updatedAt = performance.now();
    this.#draw();
  }

  #draw(): void {
    clearTimeout(this.#timer);
    const { timeline, emptyText } = this.#content;
    const now = timeline.now + performance.now() - this.#updatedAt;
    const { title, lanes } = timeline;
    const content = lanes.length === 0 ? html`<p class="empty">${emptyText}</p>` : this.#lanes(timeline, now);
    render(html`${title && html`<h1>${title}</h1>`} ${leftOutText(timeline)}${content}`, this.#root);
    const isUnderWay = lanes.some(({ marks }) => marks.some(({ outcome }) => outcome === 'underWay'));
    const mustRedraw = isUnderWay && document.visibilityState === 'visible';
    if (mustRedraw) this.#timer = setTimeout(() => this.#draw(), redrawEveryMs);
  }

  #lanes(timeline: Timeline, now: number): TemplateResult {
    return html`${repeat(
        timeline.lanes,
        ({ id }) => id,
        (lane) => this.#lane(lane, now),
      )}
      ${legend(timeline.lanes)}
      <details>
        <summary>${t('Show as a table')}</summary>
        ${table(timeline, now, this.#open)}
      </details>`;
  }

  /** Each mark has a row of its own, so that no label covers another. */
  #lane(lane: Lane, now: number): TemplateResult {
    const { marks, breaks } = laneScale(lane, now);
    const used = tracks.filter((track) => marks.some(({ mark }) => mark.track === track));
    return html`<section class="lane" role="group" aria-label=${lane.title}>
      <h2>${lane.title}<span class="length">${lengthText(lane, now)}</span></h2>
      <div class="plot">
        ${used.map(
          (track, at) =>
            html`<span class="name" .style=${`grid-row:${at + 1}`}>${trackName(track)}</span>
              <div class="track" .style=${`grid-row:${at + 1}`}>
                ${repeat(
                  marks.filter(({ mark }) => mark.track === track),
                  ({ mark }) => mark.id,
                  (placed) => this.#mark(placed, lane, now),
                )}
              </div>`,
        )}
        ${
          breaks.length === 0
            ? nothing
            : // How long they are stands below the marks.
              html`<div class="breaks" .style=${`grid-row:1/span ${used.length + 1}`}>
                ${breaks.map(pause)}
              </div>`
        }
      </div>
    </section>`;
  }

  #mark({ mark, from, to }: PlacedMark, lane: Lane, now: number): TemplateResult {
    const { opens, track, outcome, label } = mark;
    const words = [markText(mark), sinceText(lane, mark), tookText(mark, now)].filter((text) => text !== '');
    // What is short and comes late has its label before its end, where there is room.
    const isLate = from > 50 && to - from < 25;
    const moment = endOf(mark, now) === mark.from ? 'moment' : '';
    const look = `mark ${track} ${outcome} ${moment} ${isLate ? 'late' : ''}`;
    const [start, end] = isLate ? [0, to] : [from, 100];
    // Styles are set as properties: the content security policy allows no style attribute.
    const place = `margin-inline-start:${start}%;width:${end - start}%`;
    const bar = `width:${(100 * (to - from)) / (end - start)}%`;
    const about = words.join(' · ');
    const drawn = html`<span class="bar" .style=${bar}></span><span class="label">${label}</span>`;
    return opens === undefined
      ? html`<span class=${look} role="img" title=${about} aria-label=${about} .style=${place}
          >${drawn}</span
        >`
      : html`<button
          type="button"
          class=${look}
          title=${about}
          aria-label=${about.includes(label) ? about : `${label} · ${about}`}
          .style=${place}
          @click=${() => this.#open(opens)}
        >
          ${drawn}
        </button>`;
  }
}

/** A pause that would leave no room for the rest: a break with its duration, across all tracks. */
function pause({ ms, from, to }: Break): TemplateResult {
  const about = t('{0} without anything, not to scale', durationText(ms));
  return html`<span
    class="break"
    role="img"
    title=${about}
    aria-label=${about}
    .style=${`inset-inline-start:${from}%;width:${to - from}%`}
    ><span class="pause"><span>${durationText(ms)}</span></span></span
  >`;
}

/** How long the lane lasts. */
function lengthText({ marks }: Lane, now: number): string {
  const [first] = marks;
  if (first === undefined) return '';
  const last = marks.reduce((latest, mark) => (endOf(mark, now) > endOf(latest, now) ? mark : latest));
  return tookText({ ...first, to: endOf(last, now), outcome: last.outcome }, now);
}

/** What the signs mean that are drawn. */
function legend(lanes: readonly Lane[]): TemplateResult | typeof nothing {
  const drawn = lanes.flatMap(({ marks }) => marks.map(({ label }) => label)).join();
  const all: [string, string][] = [
    ['✓', t('verified or delivered')],
    ['✗', t('refused or failed')],
    ['↻', t('repeat')],
    ['↺', t('replayed')],
    ['✎', t("made here from a run's response")],
  ];
  const signs = all.filter(([sign]) => drawn.includes(sign));
  if (signs.length === 0) return nothing;
  return html`<ul class="legend" aria-label=${t('Legend')}>
    ${signs.map(([sign, meaning]) => html`<li><span aria-hidden="true">${sign}</span> ${meaning}</li>`)}
  </ul>`;
}

function leftOutText({ leftOut: { lanes, marks } }: Timeline): TemplateResult | typeof nothing {
  if (lanes === 0 && marks === 0) return nothing;
  const text = sentences(
    lanes > 0 ? t('Older runs left out: {0}.', lanes) : undefined,
    marks > 0 ? t('Older marks left out: {0}.', marks) : undefined,
  );
  return html`<p class="left-out">${text}</p>`;
}

/** The picture as a table, in words: for users who cannot see it or want exact values. */
function table({ title, lanes }: Timeline, now: number, open: (what: Opens) => void): TemplateResult {
  const heads = [t('App and Run'), t('Time'), t('After'), t('What'), t('Result'), t('Duration')];
  return html`<table>
    <caption>
      ${title}
    </caption>
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    ${repeat(
      lanes,
      ({ id }) => id,
      (lane) =>
        html`<tbody>
          ${repeat(
            lane.marks,
            ({ id }) => id,
            (mark, at) => row(lane, mark, at, now, open),
          )}
        </tbody>`,
    )}
  </table>`;
}

function row(
  lane: Lane,
  mark: TimelineMark,
  at: number,
  now: number,
  open: (what: Opens) => void,
): TemplateResult {
  const { opens } = mark;
  const words =
    opens === undefined
      ? mark.text
      : html`<button type="button" class="link" @click=${() => open(opens)}>${mark.text}</button>`;
  const first = html`<th scope="rowgroup" rowspan=${lane.marks.length}>${lane.title}</th>`;
  return html`<tr>
    ${at === 0 ? first : ''}
    <td class="time">${clockTime(new Date(mark.from))}</td>
    <td class="time">${sinceText(lane, mark)}</td>
    <td class="time">${trackName(mark.track)}</td>
    <td class="result">${words}</td>
    <td class="time">${tookText(mark, now)}</td>
  </tr>`;
}
