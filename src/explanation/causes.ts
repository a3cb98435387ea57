import { html, type TemplateResult } from 'lit/html.js';
import { receiverSteps, type Trial, type TrialResult } from '../model/explanations/explanationPicture.ts';
import { t } from '../model/text/l10n.ts';

/** Each cause that was tried, with its result. Absent and skipped causes are grouped at the end. */
export function causes(trials: readonly Trial[]): TemplateResult {
  if (trials.length === 0) return html``;
  const tried = trials.filter(({ result }) => result === 'fits' || result === 'no');
  const untried = (['absent', 'skipped'] as const).flatMap((result) => {
    const labels = trials.filter((one) => one.result === result).map(({ label }) => label);
    return labels.length === 0 ? [] : [{ label: labels.join(' · '), result }];
  });
  return html`<section aria-labelledby="trials">
    <h2 id="trials">${t('What was tried')}</h2>
    <ul class="trials">
      ${tried.map(
        ({ label, result }) =>
          html`<li class=${result} data-result=${result}>${label} <em>${resultText(result)}</em></li>`,
      )}
      ${untried.map(
        ({ label, result }) =>
          html`<li class=${result} data-result=${result}><em>${resultText(result)}</em> ${label}</li>`,
      )}
    </ul>
  </section>`;
}

function resultText(result: TrialResult): string {
  switch (result) {
    case 'fits':
      return t('this is it');
    case 'no':
      return t('does not fit');
    case 'absent':
      return t('Does not apply here:');
    case 'skipped':
      return t('Not tried:');
  }
}

export function receiver(): TemplateResult {
  return html`<section aria-labelledby="receiver">
    <h2 id="receiver">${t('What a receiver does')}</h2>
    <ol>
      ${receiverSteps().map((step) => html`<li>${step}</li>`)}
    </ol>
  </section>`;
}
