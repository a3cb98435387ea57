import { svg, type TemplateResult } from 'lit/html.js';
import type { PlacedMark } from '../model/timeline/laneLayout.ts';

/** The shape of a mark. It shows the outcome without relying on colour. */
export function markShape(placed: PlacedMark): TemplateResult {
  return placed.mark.track === 'webhook' ? sign(placed) : bar(placed);
}

/** A webhook request: ● taken, ○ unsigned, ▲ not taken, ✗ refused. A line shows how long it took. */
function sign({ mark, box: { x, y, width, height: size } }: PlacedMark): TemplateResult {
  const [middleX, middleY] = [x + size / 2, y + size / 2];
  const r = size / 2 - 1;
  const took =
    width > size
      ? svg`<line class="took" x1=${middleX} x2=${x + width} y1=${middleY} y2=${middleY}></line>`
      : svg``;
  switch (mark.outcome) {
    case 'refused':
      return svg`${took}<path class="shape cross" d=${`M${x + 1.5} ${y + 1.5}l${size - 3} ${size - 3}m0 ${3 - size}l${3 - size} ${size - 3}`}></path>`;
    case 'bad':
      return svg`${took}<path class="shape" d=${`M${middleX} ${y + 1}l${r} ${2 * r - 0.5}h${-2 * r}z`}></path>`;
    default:
      return svg`${took}<circle class="shape" cx=${middleX} cy=${middleY} r=${r}></circle>`;
  }
}

/** A bar for a duration: filled if it went well, striped if not, an outline if broken off or in progress. */
function bar({ mark, box, firstByte }: PlacedMark): TemplateResult {
  const rounded = mark.label.startsWith('↺') ? box.height / 2 : 1;
  const { x, y, width, height } = box;
  const stripes =
    mark.outcome === 'bad' && width >= 8
      ? svg`<rect class="stripes" x=${x} y=${y} width=${width} height=${height} rx=${rounded} fill="url(#stripes)"></rect>`
      : svg``;
  const first =
    firstByte !== undefined && firstByte > x + 2 && firstByte < x + width - 2
      ? svg`<line class="first-byte" x1=${firstByte} x2=${firstByte} y1=${y - 2} y2=${y + height + 2}></line>`
      : svg``;
  return svg`<rect class="shape" x=${x} y=${y} width=${width} height=${height} rx=${rounded}></rect>${stripes}${first}`;
}
