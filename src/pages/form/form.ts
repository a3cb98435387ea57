import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { type AppSettings, type Field, type FieldName, fields } from '../../service/settings/appSettings.ts';
import type {
  ApplyOutcome,
  FormContent,
  FormHead,
  FormHostCalls,
  FormStart,
  LastApplied,
  ToolName,
} from './formProtocol.ts';
import type { Remote } from '../../shared/rpc/rpc.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { controlOf, describeControl, type FieldMessage, fieldRow } from './fieldRow.ts';
import type { FormModel, Reading } from './formModel.ts';
import { type ApplyStatus, isOfToken, isSameAccount, saidOf, stillHolds } from './said.ts';
import { isProduction } from '../../service/projects/environment.ts';
import {
  fieldLabel,
  fieldLabels,
  undoneText,
  settingsSummary,
  settingsText,
} from '../../service/settings/settingsText.ts';

type Host = Remote<FormHostCalls>;

/** An apply that is under way. */
export interface Sent {
  settings: AppSettings;
  /** Milliseconds since 1970. */
  at: number;
}

/** The form of one app: draws the model, and changes it as people type. */
export class Form {
  readonly #root: HTMLElement;
  readonly #model: FormModel;
  readonly #host: Host;
  readonly #changed: () => void;
  readonly #refocus: () => void;
  /** What the last apply says once it is done: it may be tried again. */
  #done: string | undefined;
  #content: FormContent;
  #status: ApplyStatus = { kind: 'none' };
  /** What is being sent: the next page of this form can say that a reload has interrupted it. */
  sent: Sent | undefined;
  /** Fields whose known value changed while something else was typed into them. */
  #changedElsewhere = new Set<FieldName>();

  /**
   * @param changed called when the model has changed
   * @param refocus called when an apply has ended: what it asked took the focus
   */
  constructor(
    root: HTMLElement,
    { shown, said }: FormStart,
    model: FormModel,
    host: Host,
    changed: () => void,
    refocus: () => void,
  ) {
    this.#root = root;
    this.#content = shown;
    this.#model = model;
    this.#host = host;
    this.#changed = changed;
    this.#refocus = refocus;
    // The key works wherever the focus is: a message of the editor leaves it on nothing. The control that has it would
    // open its list on Enter.
    const applyByKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      event.stopPropagation();
      void this.#apply();
    };
    document.addEventListener('keydown', applyByKey, { capture: true });
    this.#say(said !== undefined && stillHolds(said, shown) ? said.status : { kind: 'none' });
    this.draw();
  }

  get head(): FormHead {
    const { appName, projectName, path, origin, account, environment } = this.#content;
    return { appName, projectName, path, origin, account, environment };
  }

  /** Shows what changed outside of the form. Typed text stays. */
  learn(content: FormContent): void {
    const isNews = content.lastApplied?.at !== this.#content.lastApplied?.at;
    const isOther = content.origin !== this.#content.origin;
    const said = this.#status.kind === 'busy' ? undefined : saidOf(this.#status, this.#content);
    this.#content = content;
    if (said !== undefined && !stillHolds(said, content)) this.#say({ kind: 'none' });
    if (isNews) {
      const { known = {}, sent = {} } = content.lastApplied ?? {};
      const elsewhere = this.#model.learnApply(known, sent);
      for (const name of this.#changedElsewhere) {
        // What is applied now is what was typed.
        if (sent[name] !== undefined && !this.#model.isTouched(name)) this.#changedElsewhere.delete(name);
      }
      if (isOther) this.#changedElsewhere.clear();
      else this.noteElsewhere(elsewhere);
      this.#changed();
    }
    // It may come from the apply in flight, whose outcome follows.
    if (this.#status.kind !== 'busy') this.draw();
  }

  /** Takes back what was said of a rejected token. */
  tokenChanged(): void {
    if (!isOfToken(this.#status)) return;
    this.#say({ kind: 'none' });
    this.draw();
  }

  /** Says that the known values of these fields changed elsewhere, where anything is typed that this may bear on. */
  noteElsewhere(names: readonly FieldName[]): void {
    if (!this.#model.isTyped) return;
    for (const name of names) {
      if (this.#model.known[name] !== undefined) this.#changedElsewhere.add(name);
    }
  }

  /** Waits for the apply that an earlier page of this form has sent. */
  awaitOutcome(sent: Sent | undefined): void {
    this.sent = sent;
    void this.#send(this.#host.outcome());
    this.#sayBusy(true);
  }

  /** Says that a reload has interrupted what an earlier page of this form has sent. */
  interrupted(sent: Sent): void {
    void this.#send(this.#host.interrupted(sent));
  }

  /** @param settings what is being sent; null while a question about it is open */
  sending(settings: AppSettings | null): void {
    this.#noteSent(settings === null ? undefined : { settings, at: Date.now() });
    this.#sayBusy(settings !== null);
  }

  /** The same of an apply to several apps, of which this one may be none. */
  asking(isAsking: boolean): void {
    this.#sayBusy(!isAsking);
  }

  /** Keeps it for the next page of this form, too. That an apply is under way, the host knows by itself. */
  #say(status: ApplyStatus): void {
    this.#status = status;
    if (status.kind === 'busy') return;
    this.#host.say(saidOf(status, this.#content)).catch((error: unknown) => console.error(error));
  }

  #sayBusy(isSending: boolean): void {
    if (this.#status.kind !== 'busy') return;
    this.#say({ kind: 'busy', text: isSending ? t('Applying') : t('Waiting for your input…') });
    this.draw();
  }

  #noteSent(sent?: Sent): void {
    this.sent = sent;
    this.#changed();
  }

  fill(settings: AppSettings): void {
    this.#model.fill(settings);
    // They take the place of what was typed, and are newer than what changed before.
    for (const name of Object.keys(settings) as FieldName[]) this.#changedElsewhere.delete(name);
    this.#edited();
  }

  draw(): void {
    const reading = this.#model.read();
    const { path, obstacle, lastApplied } = this.#content;
    const use = (name: ToolButton): void => void this.#useTool(name);
    const unready = unreadyReason(reading);
    const enabled = unready === '' && obstacle === undefined && this.#status.kind !== 'busy';
    const events = {
      apply: () => void this.#apply(),
      goTo: (name: FieldName) => this.#focus(name),
      mend: (how: 'setToken' | 'setAddress') => void this.#send(this.#host[how](), this.#done),
      startSandbox: () => void this.#host.startSandbox().catch((error: unknown) => console.error(error)),
    };
    const page = html`${header(this.#content, obstacle ?? this.#elsewhereText(), topTools(use, lastApplied, obstacle), events.startSandbox)}
      <div class="fields">
        ${this.#group('compute', t('Compute'), reading)} ${this.#group('scaling', t('Scaling'), reading)}
      </div>
      <aside>
        ${preview(path, reading)} ${sideTools(use, unready, obstacle)}
        ${applyBar(reading, enabled, this.#status, events)}
      </aside>`;
    render(page, this.#root);
    for (const { name } of fields) {
      describeControl(this.#root, name, this.#message(name, reading).kind === 'error');
    }
  }

  #group(group: 'compute' | 'scaling', title: string, reading: Reading): TemplateResult {
    const groupFields = fields.filter((field) => field.group === group);
    return html`<section aria-labelledby="group-${group}">
      <h2 id="group-${group}">${title}</h2>
      ${groupFields.map((field) => this.#row(field, reading))}
    </section>`;
  }

  #row(field: Field, reading: Reading): TemplateResult {
    const { name } = field;
    return fieldRow(field, this.#model, this.#message(name, reading), (by, change) => {
      if (by === 'reset') this.#changedElsewhere.delete(name);
      change();
      this.#edited(name);
      if (by !== 'typing') this.#focus(name);
    });
  }

  #focus(name: FieldName): void {
    controlOf(this.#root, name)?.focus();
  }

  /** @param name the field that was edited: the service's error no longer applies to it */
  #edited(name?: FieldName): void {
    const status = this.#status;
    const named = status.kind === 'error' ? status.fields.filter((one) => one !== name) : [];
    if (status.kind === 'error' && named.length > 0) this.#say({ ...status, fields: named });
    else if (status.kind !== 'busy') this.#say({ kind: 'none' });
    this.#changed();
    this.draw();
  }

  async #apply(): Promise<void> {
    const reading = this.#model.read();
    const { changes, problems } = reading;
    const [firstInvalid] = problems.keys();
    if (firstInvalid !== undefined) {
      this.#focus(firstInvalid);
      return;
    }
    const cannot = this.#status.kind === 'busy' || this.#content.obstacle !== undefined;
    if (cannot || Object.keys(changes).length === 0) return;
    await this.#send(this.#host.apply({ settings: changes }));
  }

  /** @param done what is said once it is applied; by default the number of settings that were sent */
  async #send(sent: Promise<ApplyOutcome>, done?: string): Promise<void> {
    this.#say({ kind: 'busy', text: '' });
    this.draw();
    try {
      this.#finish(await sent, done);
    } catch (error) {
      this.#fail(error);
    }
    this.draw();
    // What is applied needs no reset: the field of a button that is hidden by now takes its focus.
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || !activeElement.hidden) return;
    activeElement.closest('.field')?.querySelector<HTMLElement>('[data-field]')?.focus();
  }

  #finish(outcome: ApplyOutcome, done?: string): void {
    this.#done = done;
    if (outcome.kind === 'applied') {
      const { known = {}, sent = {} } = this.#content.lastApplied ?? {};
      this.#model.learnApply(known, sent);
      this.#changedElsewhere.clear();
      this.#say({ kind: 'done', text: this.#named(outcome, done ?? appliedText(sent)) });
    } else if (outcome.kind === 'appliedToSeveral') {
      this.#say({ kind: 'done', text: outcome.text });
    } else if (outcome.kind === 'declined') {
      this.#say({ kind: 'none' });
    } else {
      const { message, fields: named, mend } = outcome;
      // What mends it is offered for the account in use alone.
      const offered = this.#isOfOther(outcome) ? undefined : mend;
      this.#say({ kind: 'error', text: this.#named(outcome, message), fields: named, mend: offered });
      const [first] = named;
      if (first !== undefined) this.#focus(first);
    }
    this.#ended();
  }

  /** Has the next page of this form wait for no outcome: this one has said it. */
  #ended(): void {
    this.#noteSent();
    this.#refocus();
    this.#host.seen().catch((error: unknown) => console.error(error));
  }

  /** Names the account of an outcome where another one has come into use meanwhile. */
  #named(outcome: ApplyOutcome, text: string): string {
    return this.#isOfOther(outcome) ? `${outcome.sentWith?.name}: ${text}` : text;
  }

  #isOfOther({ sentWith }: ApplyOutcome): boolean {
    return sentWith !== undefined && !isSameAccount(sentWith, this.#content);
  }

  async #useTool(name: ToolButton): Promise<void> {
    if (this.#status.kind === 'busy') return;
    if (name === 'undo') {
      const { undoes: isRedo = false, stays = [] } = this.#content.lastApplied ?? {};
      await this.#send(this.#host.undo(), isRedo ? t('The last apply was redone.') : undoneText(stays));
      return;
    }
    const before = this.#status;
    const mayApply = name === 'applyToSeveral' || name === 'showHistory';
    if (mayApply) this.#say({ kind: 'busy', text: t('Waiting for your input…') });
    this.draw();
    try {
      const { fill, said, outcome } = await this.#host[name]({ settings: this.#model.read().changes });
      if (mayApply) this.#say(before);
      if (fill !== undefined) this.fill(fill);
      if (outcome !== undefined) this.#finish(outcome, t('Applied again.'));
      if (said !== undefined) this.#say({ kind: 'done', text: said });
    } catch (error) {
      this.#fail(error);
    }
    this.#refocus();
    this.draw();
  }

  #fail(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.#say({ kind: 'error', text, fields: [] });
    this.#ended();
  }

  #message(name: FieldName, { problems, warnings, same }: Reading): FieldMessage {
    const problem = problems.get(name);
    if (problem !== undefined) return { kind: 'error', text: problem };
    if (this.#status.kind === 'error' && this.#status.fields.includes(name)) {
      return { kind: 'error', text: t('The response of the service names this field.') };
    }
    const note = same.has(name)
      ? t('Same as last applied. It will be sent again.')
      : sentences(this.#clearedNote(name), this.#elsewhereNote(name));
    const warning = warnings.find((one) => one.fields.includes(name));
    if (warning !== undefined) {
      return { kind: 'warning', text: sentences(warning.text, note) };
    }
    return note === '' ? { kind: 'none' } : { kind: 'note', text: note };
  }

  #clearedNote(name: FieldName): string {
    const known = this.#model.known[name];
    if (known === undefined || !this.#model.isCleared(name)) return '';
    return t('It cannot be unset and stays as last applied: {0}.', known);
  }

  #elsewhereNote(name: FieldName): string {
    const known = this.#model.known[name];
    if (!this.#changedElsewhere.has(name) || !this.#model.isTouched(name) || known === undefined) return '';
    return t('Meanwhile changed to {0} elsewhere.', known);
  }

  #elsewhereText(): string {
    if (this.#changedElsewhere.size === 0) return '';
    const changed = t('Meanwhile changed elsewhere: {0}.', fieldLabels([...this.#changedElsewhere]));
    return this.#model.isTyped ? sentences(changed, t('What you typed is kept.')) : changed;
  }
}

function lastAppliedText({ date, isUnsure }: LastApplied): string {
  return isUnsure
    ? t('Possibly applied from this machine on {0}; the service does not report current values.', date)
    : t('Last applied from this machine on {0}; the service does not report current values.', date);
}

/**
 * The app whose settings these are, and what is known of them.
 * @param notice what changed while the form was open, or what prevents an apply; empty for nothing
 * @param tools the buttons on the right
 */
function header(
  content: FormContent,
  notice: string,
  tools: TemplateResult,
  startSandbox: () => void,
): TemplateResult {
  const { appName, projectName, environment = '', lastApplied, startsSandbox } = content;
  const known = lastApplied
    ? lastAppliedText(lastApplied)
    : t('Nothing has been applied from this machine yet; the service does not report current values.');
  return html`<header>
    <div class="title">
      <h1>${appName}</h1>
      <span class="place">${projectName}</span>
      <span class="environment ${isProduction(environment) ? 'prod' : ''}">${environment}</span>
      ${tools}
    </div>
    <p class="last-applied" data-last-applied>${known}</p>
    <p class="notice" role="status" data-notice .textContent=${notice}></p>
    ${
      startsSandbox
        ? html`<button type="button" class="link" data-action="startSandbox" @click=${startSandbox}>
            ${t('Start Sandbox')}
          </button>`
        : nothing
    }
  </header>`;
}

/** What will be sent: the call and its body, from the current fields. */
function preview(path: string, reading: Reading): TemplateResult {
  return html`<section class="preview" aria-labelledby="preview-title">
    <h2 id="preview-title">
      ${t('What will be sent')}<span class="count" data-change-count>${countText(reading)}</span>
    </h2>
    <code class="path">PATCH ${path}</code>
    <pre class="body" data-preview tabindex="0" role="region" aria-label=${t('Body of the PATCH')}>
${settingsText(reading.changes)}</pre>
  </section>`;
}

/** "1 setting"; "2 settings (1 same as last applied)". */
function countText({ changes, same }: Reading): string {
  const count = Object.keys(changes).length;
  if (count === 0) return t('nothing');
  const sent = count === 1 ? t('1 setting') : t('{0} settings', count);
  return same.size === 0 ? sent : `${sent} (${t('{0} same as last applied', same.size)})`;
}

function appliedText(sent: AppSettings): string {
  const count = Object.keys(sent).length;
  return count === 1 ? t('Applied 1 setting.') : t('Applied {0} settings.', count);
}

/** Why nothing can be done with what the fields say; empty if something can. */
function unreadyReason({ changes, problems }: Reading): string {
  if (problems.size > 0) return t('Correct the marked fields first.');
  return Object.keys(changes).length === 0 ? t('Change a setting first.') : '';
}

type ToolButton = ToolName | 'undo';

type Use = (name: ToolButton) => void;

/** The buttons at the top of the form. */
function topTools(
  use: Use,
  lastApplied: LastApplied | undefined,
  obstacle: string | undefined,
): TemplateResult {
  const { undo = {}, stays = [] } = lastApplied ?? {};
  const canUndo = obstacle === undefined && Object.keys(undo).length > 0;
  const [icon, text] =
    lastApplied?.undoes === true ? ['redo', t('Redo Last Apply')] : ['discard', t('Undo Last Apply')];
  const reason =
    lastApplied === undefined
      ? t('Nothing has been applied yet.')
      : stays.length === 0
        ? t('The last apply changed nothing.')
        : t('What was in force before the last apply is not known.');
  return html`<div role="toolbar" aria-label=${t('Form')} class="tools">
    ${tool(use, 'pickPreset', 'bookmark', t('Presets'))}
    ${tool(use, 'showHistory', 'history', t('History'), {
      isOff: lastApplied === undefined,
      title: lastApplied === undefined ? reason : '',
    })}
    ${tool(use, 'undo', icon, text, {
      isOff: !canUndo,
      title: canUndo
        ? [
            t('Sends {0}', settingsSummary(undo)),
            ...(stays.length === 0
              ? []
              : [t('Not undone, since what was in force before is not known: {0}.', fieldLabels(stays))]),
          ].join('\n')
        : (obstacle ?? reason),
    })}
  </div>`;
}

/** The buttons beside the preview, for what it shows. @param title why they are off; empty if they are not */
function sideTools(use: Use, title: string, obstacle = ''): TemplateResult {
  const off = { isOff: title !== '', title };
  const cannotSend = title || obstacle;
  return html`<div role="toolbar" aria-label=${t('What will be sent')} class="tools side">
    ${tool(use, 'copyAsCurl', 'copy', t('Copy as cURL'), off)}
    ${tool(use, 'exportToFile', 'export', t('Export to File…'), off)}
    ${tool(use, 'applyToSeveral', 'layers', t('Apply to Several Apps…'), {
      isOff: cannotSend !== '',
      title: cannotSend,
    })}
  </div>`;
}

/** @param off whether it does nothing now. It can be pointed at and reached all the same: its title has the reason */
function tool(
  use: Use,
  name: ToolButton,
  icon: string,
  text: string,
  { isOff = false, title = '' }: { isOff?: boolean; title?: string } = {},
): TemplateResult {
  return html`<vscode-toolbar-button
    class=${isOff ? 'off' : ''}
    icon=${icon}
    data-action=${name}
    title=${title}
    label=${title === '' ? nothing : `${text}: ${title}`}
    @click=${() => (isOff ? undefined : use(name))}
    >${text}</vscode-toolbar-button
  >`;
}

interface ApplyEvents {
  apply: () => void;
  mend: (how: 'setToken' | 'setAddress') => void;
  goTo: (name: FieldName) => void;
}

/**
 * The apply button, what prevents an apply, and how the last apply went. The button keeps the focus while it does nothing.
 */
export function applyBar(
  reading: Reading,
  enabled: boolean,
  status: ApplyStatus,
  { apply, mend, goTo }: ApplyEvents,
): TemplateResult {
  return html`<section class="apply" aria-label=${t('Apply')}>
    <p
      class="status ${status.kind}"
      role="status"
      aria-live="polite"
      data-status
      .textContent=${status.kind === 'none' ? '' : status.text}
    ></p>
    <div class="row">
      <vscode-button
        class=${enabled ? '' : 'off'}
        aria-disabled=${enabled ? 'false' : 'true'}
        data-action="apply"
        @click=${apply}
        >${labelOf(reading)}</vscode-button
      >
      ${reading.problems.size === 0 ? shortcut() : problemLinks([...reading.problems], goTo)}
      ${status.kind === 'error' && status.mend !== undefined ? mendLink(status.mend, mend) : nothing}
    </div>
  </section>`;
}

function mendLink(how: 'setToken' | 'setAddress', mend: ApplyEvents['mend']): TemplateResult {
  return html`<button type="button" class="link" data-action=${how} @click=${() => mend(how)}>
    ${how === 'setToken' ? t('Set Token…') : t('Set Address…')}
  </button>`;
}

function shortcut(): TemplateResult {
  return html`<span class="shortcut">${/mac/i.test(navigator.userAgent) ? '⌘⏎' : t('Ctrl+Enter')}</span>`;
}

/** A single problem in words; of several the fields, whose rows have the words. */
function problemLinks(problems: [FieldName, string][], goTo: ApplyEvents['goTo']): TemplateResult {
  const links = problems.map(([name, problem]) => {
    const words = `${fieldLabel(name)}: ${problem}`;
    return html`<button
      type="button"
      class="link problem"
      title=${words}
      data-go-to=${name}
      @click=${() => goTo(name)}
    >
      ${problems.length === 1 ? words : fieldLabel(name)}
    </button>`;
  });
  const count = problems.length === 1 ? nothing : html`<span>${t('{0} to correct:', problems.length)}</span>`;
  return html`<div class="problems">${count} ${links}</div>`;
}

function labelOf({ changes, problems }: Reading): string {
  const count = Object.keys(changes).length;
  if (count === 0 || problems.size > 0) return t('Apply');
  return count === 1 ? t('Apply 1 setting') : t('Apply {0} settings', count);
}
