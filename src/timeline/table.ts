import { html, type TemplateResult } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';
import { clockTime } from '../model/deliveries/deliveryLine.ts';
import { t } from '../model/text/l10n.ts';
import type { Lane, Mark, Opens, Timeline } from '../model/timeline/timeline.ts';
import { sinceText, tookText, trackName } from './trackText.ts';

/** The picture as a table, in words: for users who cannot see it or want exact values. */
export function table({ title, lanes }: Timeline, now: number, open: (what: Opens) => void): TemplateResult {
  const heads = [t('Run'), t('Time'), t('After'), t('What'), t('How it went'), t('Took')];
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

function row(lane: Lane, mark: Mark, at: number, now: number, open: (what: Opens) => void): TemplateResult {
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
    <td>${words}</td>
    <td class="time">${tookText(mark, now)}</td>
  </tr>`;
}
