import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { t } from '../model/text/l10n.ts';
import type { TextSize } from '../model/timeline/labels.ts';
import { layOut, type Picture } from '../model/timeline/layout.ts';
import type { Lane, Mark, Opens, Timeline } from '../model/timeline/timeline.ts';
import { measuredText } from './measuredText.ts';
import { pictureSvg } from './pictureSvg.ts';
import { markByKey } from './rows.ts';
import { table } from './table.ts';
import { sinceText, tookText, trackName, markText } from './trackText.ts';

/** The view state of a timeline; kept across reloads. */
export interface Look {
  /** The width of the picture, as a multiple of the width of the page. */
  zoom: number;
  hasTable: boolean;
}

/** The layout of the picture, and the time for which it was made. */
interface LaidOut {
  picture: Picture;
  size: TextSize;
  /** Unix milliseconds. */
  now: number;
}

/** What the view needs from its surroundings. */
export interface Surroundings {
  open(what: Opens): void;
  keep(look: Look): void;
}

/** How often the picture is redrawn while something is in progress, in milliseconds. */
const redrawEveryMs = 500;
const mostZoom = 64;
const scrollingKeys = /^( |ArrowLeft|ArrowRight|Home|End)$/;

/** The page: heading, details of a mark, the picture, and the same as a table. */
export class TimelineView {
  readonly #root: HTMLElement;
  readonly #around: Surroundings;
  readonly #measure: () => TextSize;
  #look: Look;
  #timeline: Timeline;
  #laidOut: LaidOut | undefined;
  #width = 0;
  #updatedAt = performance.now();
  #focused: string | undefined;
  #hovered: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, timeline: Timeline, look: Look, around: Surroundings) {
    this.#root = root;
    this.#timeline = timeline;
    this.#look = look;
    this.#around = around;
    this.#measure = measuredText(root);
    // The observer also reports the initial width.
    new ResizeObserver(([entry]) => {
      this.#width = entry?.contentRect.width ?? 0;
      this.draw();
    }).observe(root);
    document.addEventListener('visibilitychange', () => this.draw());
  }

  /** Shows an updated timeline. */
  show(timeline: Timeline): void {
    this.#timeline = timeline;
    this.#updatedAt = performance.now();
    this.draw();
  }

  /** Lays everything out again, and draws it. */
  draw(): void {
    const timeline = this.#timeline;
    const now = timeline.now + performance.now() - this.#updatedAt;
    const size = this.#measure();
    const names = { call: trackName('call'), webhook: trackName('webhook'), app: trackName('app') };
    const picture = layOut(timeline, { width: this.#width * this.#look.zoom, size, names, now });
    this.#laidOut = { picture, size, now };
    this.#paint();
    this.#scheduleRedraw();
  }

  /** Draws the current layout again, for example when the pointer is on another mark. */
  #paint(): void {
    if (this.#laidOut === undefined) return;
    const timeline = this.#timeline;
    const marks = timeline.lanes.flatMap((lane) => lane.marks);
    if (!marks.some(({ id }) => id === this.#focused)) this.#focused = marks[0]?.id;
    const empty = t('Nothing to show yet. What happens next appears here.');
    const page = html`<header>
        <h1>${timeline.title}</h1>
        ${marks.length === 0 ? nothing : this.#tools()}
      </header>
      ${leftOutText(timeline)}
      ${marks.length === 0 ? html`<p class="empty">${empty}</p>` : this.#drawn(this.#laidOut)}`;
    render(page, this.#root);
  }

  #drawn({ picture, size, now }: LaidOut): TemplateResult {
    const timeline = this.#timeline;
    const scrolled = this.#scroller()?.scrollLeft ?? 0;
    const drawing = { picture, size, focused: this.#focused, scrolled };
    const about = t('Timeline of {0}. Arrow keys move, Enter opens.', timeline.title);
    return html`<p class="detail" data-detail>${this.#detail(now)}</p>
      <div
        class="scroll"
        @scroll=${() => this.#paint()}
        @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
        @click=${(event: Event) => this.#open(idOf(event))}
        @focusin=${(event: Event) => this.#lookAt(idOf(event), idOf(event))}
        @pointerover=${(event: Event) => this.#lookAt(this.#focused, idOf(event) ?? idWithFocus())}
        @pointerleave=${() => this.#lookAt(this.#focused, idWithFocus())}
      >
        ${pictureSvg(drawing, about)}
      </div>
      ${this.#legend()}
      <details ?open=${this.#look.hasTable} @toggle=${(event: Event) => this.#toggled(event)}>
        <summary>${t('Show as a table')}</summary>
        ${this.#look.hasTable ? table(timeline, now, (what) => this.#around.open(what)) : nothing}
      </details>`;
  }

  #tools(): TemplateResult {
    const { zoom } = this.#look;
    const tool = (name: string, sign: string, to: number): TemplateResult =>
      html`<button
        type="button"
        class="tool"
        title=${name}
        aria-label=${name}
        ?disabled=${to === zoom}
        @click=${() => this.#zoomTo(to)}
      >
        ${sign}
      </button>`;
    return html`<div class="tools" role="toolbar" aria-label=${t('Zoom')}>
      ${tool(t('Zoom out'), '−', Math.max(1, zoom / 2))}
      ${tool(t('Zoom in'), '+', Math.min(mostZoom, zoom * 2))} ${tool(t('Show all'), '↔', 1)}
    </div>`;
  }

  #legend(): TemplateResult {
    const signs: [string, string][] = [
      ['●', t('taken')],
      ['▲', t('not taken')],
      ['✗', t('refused')],
      ['○', t('unsigned or not answered')],
      ['↺', t('replayed')],
    ];
    return html`<ul class="legend" aria-label=${t('Signs')}>
      ${signs.map(([sign, meaning]) => html`<li><span aria-hidden="true">${sign}</span> ${meaning}</li>`)}
    </ul>`;
  }

  /** The details of the mark under the pointer or with the focus. */
  #detail(now: number): string {
    const found = this.#find(this.#hovered);
    if (found === undefined) return t('Point at a mark, or use the arrow keys, to see its details.');
    const [lane, mark] = found;
    return [lane.title, markText(mark), sinceText(lane, mark), tookText(mark, now)]
      .filter((text) => text !== '')
      .join(' · ');
  }

  #find(id: string | undefined): [Lane, Mark] | undefined {
    for (const lane of this.#timeline.lanes) {
      const mark = lane.marks.find((one) => one.id === id);
      if (mark !== undefined) return [lane, mark];
    }
    return undefined;
  }

  #lookAt(focused: string | undefined, hovered: string | undefined): void {
    if (focused === this.#focused && hovered === this.#hovered) return;
    this.#focused = focused;
    this.#hovered = hovered;
    this.#paint();
  }

  #pressed(event: KeyboardEvent): void {
    const id = idOf(event);
    if (id === undefined || this.#laidOut === undefined) return;
    if (event.key === 'Enter' || event.key === ' ') this.#open(id);
    const next = markByKey(this.#laidOut.picture, id, event.key)?.mark.id;
    if (next !== undefined) {
      this.#root.querySelector<SVGElement>(`[data-mark="${CSS.escape(next)}"]`)?.focus();
    }
    // Keys that would scroll are handled even if there is no further mark.
    if (next !== undefined || scrollingKeys.test(event.key)) event.preventDefault();
  }

  #open(id: string | undefined): void {
    const opens = this.#find(id)?.[1].opens;
    if (opens !== undefined) this.#around.open(opens);
  }

  #zoomTo(zoom: number): void {
    const scroller = this.#scroller();
    const half = (scroller?.clientWidth ?? 0) / 2;
    const middle = ((scroller?.scrollLeft ?? 0) + half) / this.#look.zoom;
    this.#change({ zoom });
    if (scroller) scroller.scrollLeft = middle * zoom - half;
  }

  #toggled({ target }: Event): void {
    const hasTable = target instanceof HTMLDetailsElement && target.open;
    if (hasTable !== this.#look.hasTable) this.#change({ hasTable });
  }

  #change(look: Partial<Look>): void {
    this.#look = { ...this.#look, ...look };
    this.#around.keep(this.#look);
    this.draw();
  }

  #scroller(): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>('.scroll');
  }

  /** Schedules a redraw if something is in progress and the page is visible. */
  #scheduleRedraw(): void {
    clearTimeout(this.#timer);
    const isUnderWay = this.#timeline.lanes.some(({ marks }) =>
      marks.some(({ outcome }) => outcome === 'underWay'),
    );
    const mustRedraw = isUnderWay && document.visibilityState === 'visible';
    if (mustRedraw) this.#timer = setTimeout(() => this.draw(), redrawEveryMs);
  }
}

function idOf({ target }: Pick<Event, 'target'>): string | undefined {
  const mark = target instanceof Element ? target.closest('[data-mark]') : null;
  return mark?.getAttribute('data-mark') ?? undefined;
}

function idWithFocus(): string | undefined {
  return idOf({ target: document.activeElement });
}

function leftOutText({ leftOut: { lanes, marks } }: Timeline): TemplateResult | typeof nothing {
  if (lanes === 0 && marks === 0) return nothing;
  const texts = [
    ...(lanes > 0 ? [t('Older runs left out: {0}.', lanes)] : []),
    ...(marks > 0 ? [t('Older marks left out: {0}.', marks)] : []),
  ];
  return html`<p class="left-out">${texts.join(' ')}</p>`;
}
