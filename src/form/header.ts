import { isProduction } from '../model/projects/environment.ts';
import type { FormContent } from '../model/settings/formProtocol.ts';
import { t } from '../model/text/l10n.ts';
import { element, setText } from './element.ts';

/** Whose settings these are, and what is known of them. */
export class Header {
  readonly root: HTMLElement;
  readonly #app = element('h1');
  readonly #place = element('span', { attributes: { class: 'place' } });
  readonly #environment = element('span', { attributes: { class: 'environment' } });
  readonly #lastApplied = element('p', { attributes: { class: 'last-applied', 'data-last-applied': '' } });
  readonly #notice = element('p', { attributes: { class: 'notice', role: 'status', 'data-notice': '' } });

  /** @param tools the buttons at its right */
  constructor(tools: HTMLElement) {
    this.root = element('header', {}, [
      element('div', { attributes: { class: 'title' } }, [this.#app, this.#place, this.#environment, tools]),
      this.#lastApplied,
      this.#notice,
    ]);
  }

  show(content: FormContent): void {
    setText(this.#app, content.appName);
    setText(this.#place, content.projectName);
    setText(this.#environment, content.environment ?? '');
    this.#environment.classList.toggle('prod', isProduction(content.environment));
    setText(
      this.#lastApplied,
      content.lastApplied
        ? t(
            'Last applied from this machine on {0}; the service does not report current values.',
            content.lastApplied.date,
          )
        : t('Nothing has been applied from this machine yet; the service does not report current values.'),
    );
  }

  /** Something that changed while the form was open, or what stands in the way. Empty for nothing. */
  notice(text: string): void {
    setText(this.#notice, text);
  }
}
