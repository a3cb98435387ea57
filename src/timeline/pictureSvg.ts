import { nothing, svg, type TemplateResult } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../model/text/l10n.ts';
import { durationText } from '../model/text/durationText.ts';
import type { Label, TextSize } from '../model/timeline/labels.ts';
import type { PlacedLane, PlacedMark } from '../model/timeline/laneLayout.ts';
import type { Picture } from '../model/timeline/layout.ts';
import { markShape } from './markShape.ts';
import { markText } from './trackText.ts';

/** What is drawn: the layout, and the state that is not part of it. */
export interface Drawing {
  picture: Picture;
  size: TextSize;
  /** The id of the only mark that Tab moves to. */
  focused: string | undefined;
  /** The horizontal scroll position: titles and names move along, to stay in view. */
  scrolled: number;
}

/** The minimum width of the area that reacts to the pointer, so that a mark is easy to hit. */
const leastHit = 18;

/** Draws the picture. Whatever somebody else wrote is inserted as text only. */
export function pictureSvg(drawing: Drawing, about: string): TemplateResult {
  const { width, height, left, ticks, folds, lanes } = drawing.picture;
  return svg`<svg
    class=${drawing.picture.isCompact ? 'compact' : 'roomy'}
    width=${width}
    height=${height}
    role="group"
    aria-label=${about}
  >
    <defs>
      <pattern id="stripes" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="stripe" width="2.5" height="5"></rect>
      </pattern>
    </defs>
    <g class="axis" aria-hidden="true">
      ${ticks.map(
        ({ x, label }) =>
          svg`<line class="tick" x1=${x} x2=${x} y1="0" y2=${height}></line>${text(label, 'tick-label', drawing)}`,
      )}
      ${folds.map(
        ({ x, width: wide, ms, label }) => svg`<g class="fold">
          <rect x=${x} y="0" width=${wide} height=${height}><title>${t('Nothing for {0}', durationText(ms))}</title></rect>
          ${label ? text(label, 'fold-label', drawing) : nothing}
        </g>`,
      )}
    </g>
    ${repeat(
      lanes,
      ({ id }) => id,
      (lane) => laneOf(lane, left, drawing),
    )}
  </svg>`;
}

function laneOf(lane: PlacedLane, left: number, drawing: Drawing): TemplateResult {
  const { box, title, tracks, marks } = lane;
  return svg`<g class="lane" role="group" aria-label=${title.text}>
    ${tracks.map(
      ({ middle }) =>
        svg`<line class="track" x1=${left} x2=${drawing.picture.width} y1=${middle} y2=${middle}></line>`,
    )}
    ${repeat(
      marks,
      ({ mark }) => mark.id,
      (placed) => markOf(placed, drawing),
    )}
    <g aria-hidden="true">
      ${marks.map(({ label }) => (label ? text(label, 'label', drawing) : nothing))}
    </g>
    <g aria-hidden="true" transform=${`translate(${drawing.scrolled} 0)`}>
      <rect class="behind" x="0" y=${box.y} width=${left - 6} height=${box.height}></rect>
      <line class="border" x1="0" x2=${drawing.picture.width} y1=${box.y} y2=${box.y}></line>
      ${text(title, 'title', drawing)} ${tracks.map(({ name }) => (name ? text(name, 'name', drawing) : nothing))}
    </g>
  </g>`;
}

function markOf(placed: PlacedMark, drawing: Drawing): TemplateResult {
  const { mark, box, wait } = placed;
  const { size, focused } = drawing;
  const middle = box.y + box.height / 2;
  const hit = Math.max(leastHit, box.width);
  return svg`${
    wait && wait.to - wait.from > 2
      ? svg`<line class="wait" x1=${wait.from} x2=${wait.to} y1=${middle} y2=${middle}></line>`
      : nothing
  }
    <g
      class=${`mark ${mark.track} ${mark.outcome}`}
      data-mark=${mark.id}
      role=${mark.opens === undefined ? 'img' : 'button'}
      tabindex=${mark.id === focused ? '0' : '-1'}
      aria-label=${markText(mark)}
    >
      <title>${markText(mark)}</title>
      <rect
        class="hit"
        x=${box.x + (box.width - hit) / 2}
        y=${middle - size.line / 2}
        width=${hit}
        height=${size.line}
      ></rect>
      <rect class="ring" x=${box.x - 3} y=${box.y - 3} width=${box.width + 6} height=${box.height + 6} rx="3"></rect>
      ${markShape(placed)}
    </g>`;
}

function text({ x, y, text: words, height }: Label, kind: string, { size }: Drawing): TemplateResult {
  return svg`<text class=${kind} x=${x} y=${y + height - size.line * 0.28}>${words}</text>`;
}
