import {
  type AppSettings,
  type Field,
  type FieldName,
  fields,
  problemText,
} from '../model/settings/appSettings.ts';
import { fieldLabel } from '../model/settings/fieldText.ts';
import type { ApplyOutcome, FormContent, ToolResult } from '../model/settings/formProtocol.ts';
import { settingsWarningText } from '../model/settings/settingsWarning.ts';
import { t } from '../model/text/l10n.ts';
import { ApplyBar, type ApplyStatus } from './applyBar.ts';
import { element } from './element.ts';
import { type FieldMessage, FieldRow } from './fieldRow.ts';
import type { FormModel, Reading } from './formModel.ts';
import { Header } from './header.ts';
import { appliedText, Preview } from './preview.ts';
import { createTools, type ToolName } from './tools.ts';

export interface FormEvents {
  /** Something was typed: the model has changed. */
  changed: () => void;
  apply: (settings: AppSettings) => Promise<ApplyOutcome>;
  undo: () => Promise<ApplyOutcome>;
  tool: (name: ToolName, settings: AppSettings) => Promise<ToolResult>;
}

/** Where the form stands. `failed.fields` are those that the service's answer names. */
type State =
  | { kind: 'editing'; done?: string }
  | { kind: 'busy'; text: string }
  | { kind: 'failed'; message: string; fields: readonly FieldName[] };

/** The form of one app: draws the model, and changes it as people type. */
export class Form {
  readonly #model: FormModel;
  readonly #events: FormEvents;
  readonly #header: Header;
  readonly #preview: Preview;
  readonly #bar: ApplyBar;
  readonly #undo: HTMLElement;
  readonly #rows: ReadonlyMap<FieldName, FieldRow>;
  #content: FormContent;
  /** What came while an apply was under way. */
  #later: FormContent | undefined;
  #state: State = { kind: 'editing' };
  /** Fields whose known value changed while something else was typed into them. */
  #elsewhere = new Set<FieldName>();

  constructor(root: HTMLElement, content: FormContent, model: FormModel, events: FormEvents) {
    this.#content = content;
    this.#model = model;
    this.#events = events;
    this.#rows = new Map(fields.map((field) => [field.name, this.#createRow(field)]));
    const tools = createTools((name) => void this.#useTool(name));
    this.#undo = tools.undo;
    this.#header = new Header(tools.top);
    this.#preview = new Preview();
    this.#bar = new ApplyBar(() => void this.#apply());
    root.replaceChildren(
      this.#header.root,
      element('div', { attributes: { class: 'fields' } }, [
        this.#group('compute', t('Compute')),
        this.#group('scaling', t('Scaling')),
      ]),
      element('aside', {}, [this.#preview.root, tools.side, this.#bar.root]),
    );
    root.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.#apply();
    });
    this.draw();
  }

  /** Shows what changed outside of the form, and leaves alone what was typed. */
  learn(content: FormContent): void {
    if (this.#state.kind === 'busy') {
      // It may be the apply that is under way: its own answer says more.
      this.#later = content;
      return;
    }
    const isNews = content.lastApplied?.at !== this.#content.lastApplied?.at;
    this.#content = content;
    // While the project is away nothing is known of it, and that is no news.
    if (isNews && content.obstacle === undefined) {
      this.noteElsewhere(this.#model.learn(content.lastApplied?.known ?? {}));
    }
    this.draw();
  }

  /** Says that the known values of these fields changed elsewhere. */
  noteElsewhere(names: readonly FieldName[]): void {
    for (const name of names) {
      if (this.#model.known[name] !== undefined) this.#elsewhere.add(name);
    }
    this.draw();
  }

  fill(settings: AppSettings): void {
    this.#model.fill(settings);
    this.#edited();
  }

  draw(): void {
    const reading = this.#model.read();
    const count = Object.keys(reading.changes).length;
    this.#header.show(this.#content);
    this.#header.notice(this.#content.obstacle ?? this.#elsewhereText());
    this.#undo.inert = this.#content.lastApplied?.canUndo !== true;
    this.#preview.show(this.#content.path, reading);
    for (const { name } of fields) {
      this.#rows.get(name)?.show({
        text: this.#model.text(name),
        touched: this.#model.isTouched(name),
        canSendAgain: this.#model.canSendAgain(name),
        message: this.#message(name, reading),
      });
    }
    const ready = count > 0 && reading.problems.size === 0 && this.#content.obstacle === undefined;
    this.#bar.show(reading, ready && this.#state.kind !== 'busy', this.#status());
  }

  #createRow(field: Field): FieldRow {
    const { name } = field;
    return new FieldRow(field, {
      typed: (text, undone) => {
        if (undone) this.#model.untype(name, text);
        else this.#model.type(name, text);
        this.#edited(name);
      },
      reset: () => {
        this.#model.reset(name);
        this.#elsewhere.delete(name);
        this.#edited(name);
        this.#rows.get(name)?.focus();
      },
      sendAgain: () => {
        this.#model.sendAgain(name);
        this.#edited(name);
        this.#rows.get(name)?.focus();
      },
    });
  }

  #group(group: 'compute' | 'scaling', title: string): HTMLElement {
    const rows = fields
      .filter((field) => field.group === group)
      .map(({ name }) => this.#rows.get(name)?.root);
    return element('section', { attributes: { 'aria-labelledby': `group-${group}` } }, [
      element('h2', { attributes: { id: `group-${group}` }, text: title }),
      ...rows.filter((row) => row !== undefined),
    ]);
  }

  /** @param name the field that was edited: what the service said of it no longer holds */
  #edited(name?: FieldName): void {
    if (this.#state.kind === 'failed' && name !== undefined) {
      this.#state = { ...this.#state, fields: this.#state.fields.filter((one) => one !== name) };
    }
    if (this.#state.kind === 'editing') this.#state = { kind: 'editing' };
    this.#events.changed();
    this.draw();
  }

  async #apply(): Promise<void> {
    const reading = this.#model.read();
    const { changes, problems } = reading;
    const [firstInvalid] = problems.keys();
    if (firstInvalid !== undefined) {
      this.#rows.get(firstInvalid)?.focus();
      return;
    }
    if (
      Object.keys(changes).length === 0 ||
      this.#state.kind === 'busy' ||
      this.#content.obstacle !== undefined
    )
      return;
    await this.#send(() => this.#events.apply(changes), appliedText(reading));
  }

  async #send(send: () => Promise<ApplyOutcome>, done: string): Promise<void> {
    this.#state = { kind: 'busy', text: t('Applying…') };
    this.draw();
    try {
      this.#finish(await send(), done);
    } catch (error) {
      this.#fail(error);
    }
    const later = this.#later;
    this.#later = undefined;
    if (later !== undefined) this.learn(later);
    this.#events.changed();
    this.draw();
  }

  #finish(outcome: ApplyOutcome, done: string): void {
    if (outcome.kind === 'applied') {
      this.#content = outcome.content;
      this.#model.applied(outcome.sent);
      this.#model.learn(outcome.content.lastApplied?.known ?? {});
      this.#elsewhere.clear();
      this.#state = { kind: 'editing', done };
    } else if (outcome.kind === 'declined') {
      this.#state = { kind: 'editing' };
    } else {
      this.#state = outcome;
      const [first] = outcome.fields;
      if (first !== undefined) this.#rows.get(first)?.focus();
    }
  }

  async #useTool(name: ToolName | 'undo'): Promise<void> {
    if (this.#state.kind === 'busy') return;
    if (name === 'undo') {
      await this.#send(this.#events.undo, t('The last apply was undone.'));
      return;
    }
    try {
      const { fill, said, outcome } = await this.#events.tool(name, this.#model.read().changes);
      if (fill !== undefined) this.fill(fill);
      if (outcome !== undefined) this.#finish(outcome, t('Applied again.'));
      if (said !== undefined) this.#state = { kind: 'editing', done: said };
    } catch (error) {
      this.#fail(error);
    }
    this.draw();
  }

  #fail(error: unknown): void {
    this.#state = {
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      fields: [],
    };
  }

  #message(name: FieldName, { problems, warnings, same }: Reading): FieldMessage {
    const problem = problems.get(name);
    if (problem !== undefined) return { kind: 'error', text: problemText(problem) };
    if (this.#state.kind === 'failed' && this.#state.fields.includes(name)) {
      return { kind: 'error', text: t('The service names this field in its answer.') };
    }
    const note = same.has(name) ? t('Same as last applied. Sent again.') : this.#elsewhereNote(name);
    const warning = warnings.find((one) => one.field === name);
    if (warning !== undefined) {
      return { kind: 'warning', text: [settingsWarningText(warning), note].join(' ').trimEnd() };
    }
    return note === '' ? { kind: 'none' } : { kind: 'note', text: note };
  }

  #elsewhereNote(name: FieldName): string {
    const known = this.#model.known[name];
    if (!this.#elsewhere.has(name) || !this.#model.isTouched(name) || known === undefined) return '';
    return t('Changed to {0} elsewhere meanwhile.', known);
  }

  #status(): ApplyStatus {
    const state = this.#state;
    switch (state.kind) {
      case 'busy':
        return { kind: 'busy', text: state.text };
      case 'failed':
        return { kind: 'error', text: state.message };
      case 'editing':
        return state.done === undefined ? { kind: 'none' } : { kind: 'done', text: state.done };
    }
  }

  #elsewhereText(): string {
    if (this.#elsewhere.size === 0) return '';
    const names = [...this.#elsewhere].map((name) => fieldLabel(name)).join(', ');
    return t('Changed elsewhere meanwhile: {0}. What you typed is kept.', names);
  }
}
