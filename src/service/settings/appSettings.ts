import { plainText } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';

/** The kinds of compute (service-interface.md, section 2, "App settings"). */
export const computes = ['ADA_L4', 'ADA_L40', 'AMPERE_A10', 'CPU', 'INF2', 'TRN1', 'TURING_T4'] as const;

/** Any of the nine settings of an app, as they go over the wire (section 2). */
export interface AppSettings {
  compute?: (typeof computes)[number];
  gpuCount?: number;
  /** A decimal number given as a string. */
  cpu?: string;
  /** A decimal number given as a string. The interface document states no unit. */
  memory?: string;
  minReplicaCount?: number;
  maxReplicaCount?: number;
  replicaConcurrency?: number;
  cooldownPeriodSeconds?: number;
  responseGracePeriodSeconds?: number;
}

export type FieldName = keyof AppSettings;

/** One field: its kind on the wire and its limits, both inclusive (sections 2 and 8). */
export type Field = { name: FieldName; group: 'compute' | 'scaling' } & (
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'integer'; minimum: number; maximum?: number; unit?: 'seconds' }
  | { kind: 'decimal'; minimum: 0; maximum: 100 | 192 }
);

/** The one list of the nine fields, in display order. */
export const fields: readonly Field[] = [
  { name: 'compute', group: 'compute', kind: 'choice', choices: computes },
  { name: 'gpuCount', group: 'compute', kind: 'integer', minimum: 0, maximum: 8 },
  { name: 'cpu', group: 'compute', kind: 'decimal', minimum: 0, maximum: 100 },
  { name: 'memory', group: 'compute', kind: 'decimal', minimum: 0, maximum: 192 },
  { name: 'minReplicaCount', group: 'scaling', kind: 'integer', minimum: 0 },
  { name: 'maxReplicaCount', group: 'scaling', kind: 'integer', minimum: 1 },
  { name: 'replicaConcurrency', group: 'scaling', kind: 'integer', minimum: 1 },
  {
    name: 'cooldownPeriodSeconds',
    group: 'scaling',
    kind: 'integer',
    minimum: 1,
    maximum: 3600,
    unit: 'seconds',
  },
  {
    name: 'responseGracePeriodSeconds',
    group: 'scaling',
    kind: 'integer',
    minimum: 1,
    maximum: 3600,
    unit: 'seconds',
  },
];

/**
 * A problem with one setting. `text` says what to enter instead. `field` is the name as it was sent, so it may
 * not be one of the nine; it is empty if the problem is not with a single setting.
 */
export interface Problem {
  field: string;
  text: string;
}

export type Validation = { ok: true; settings: AppSettings } | { ok: false; problems: Problem[] };

/** Plain digits with an optional fraction: no exponent, no leading zero. A sign matches only to report it. */
const decimal = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** A whole number in plain digits. */
export const digits = /^(?:0|-?[1-9][0-9]*)$/;

/** The field with that name; undefined if the service has none. */
export function fieldNamed(name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}

/** The settings that have a value, in display order. */
export function entriesOf(settings: AppSettings): [name: FieldName, value: string | number][] {
  return fields.flatMap(({ name }) => {
    const value = settings[name];
    return value === undefined ? [] : [[name, value]];
  });
}

export function inOrder(settings: AppSettings): AppSettings {
  return Object.fromEntries(entriesOf(settings));
}

/**
 * The settings that undo an apply: the previous values of the fields that it set, if known and different.
 * Empty if there is no apply.
 */
export function undoOf(applied: { sent: AppSettings; before: AppSettings } | undefined): AppSettings {
  if (applied === undefined) return {};
  const changed = entriesOf(applied.sent).filter(([name, sent]) => applied.before[name] !== sent);
  const before = changed.map(([name]) => [name, applied.before[name]] as const);
  return Object.fromEntries(before.filter(([, value]) => value !== undefined));
}

/** The settings of an apply that an undo of it cannot bring back: nobody knows what was in force before. */
export function beyondUndo({ sent, before }: { sent: AppSettings; before: AppSettings }): FieldName[] {
  return entriesOf(sent).flatMap(([name]) => (before[name] === undefined ? [name] : []));
}

/** Checks settings in their wire format. The form, the host and the sandbox all use this function. */
export function validate(settings: unknown): Validation {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    return { ok: false, problems: [{ field: '', text: t('Settings are a JSON object.') }] };
  }
  const problems = Object.entries(settings).flatMap(([name, value]) => {
    const field = fieldNamed(name);
    const text = field ? problemOf(field, value) : t('There is no setting "{0}".', plainText(name));
    return text === undefined ? [] : [{ field: name, text }];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: { ...settings } };
}

/**
 * Checks settings from any source (a webview, a file, another extension) before they are sent.
 * @throws UserError that names every invalid setting, or says that no setting was given
 */
export function checkedSettings(settings: unknown): AppSettings {
  const checked = validate(settings);
  if (!checked.ok) throw new UserError(t('Nothing was sent. {0}', problemsText(checked.problems)));
  if (Object.keys(checked.settings).length === 0) {
    throw new UserError(t('There is nothing to apply.'));
  }
  return checked.settings;
}

/** `gpuCount: Enter 8 or less. memory: Enter 192 or less.` */
export function problemsText(problems: readonly Problem[]): string {
  return sentences(
    ...problems.map(({ field, text }) => (field === '' ? text : `${plainText(field)}: ${text}`)),
  );
}

/** The problem with a wire value of a field; undefined if the value is valid. */
export function problemOf(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value)
        ? undefined
        : t('Choose one of {0}.', field.choices.join(', '));
    case 'integer':
      if (typeof value === 'string' && digits.test(value)) {
        return problemOf(field, Number(value)) ?? t('Give it as a number, without quotes: {0}.', value);
      }
      if (typeof value !== 'number' || !isWhole(value)) {
        return t('Enter a whole number, using digits only, such as 2.');
      }
      // A limit of the field is a more useful message than the limit of JSON.
      return outside(field, value) ?? inexact(value);
    case 'decimal': {
      if (typeof value === 'number' && decimal.test(value.toString())) {
        const instead = value.toString();
        return problemOf(field, instead) ?? t('Give it as a string, in quotes: {0}.', `"${instead}"`);
      }
      const match = typeof value === 'string' ? decimal.exec(value) : null;
      const [, sign, whole = '', fraction = ''] = match ?? [];
      const isZero = !/[1-9]/.test(whole + fraction);
      if (sign === undefined || (sign === '-' && isZero)) {
        return t('Enter a number, using digits only, such as 4 or 0.5.');
      }
      // A fraction too long for a double must not round down onto the maximum.
      const beyond = Number(whole) === field.maximum && /[1-9]/.test(fraction);
      return outside(field, sign === '-' ? -1 : Number(whole) + (beyond ? 1 : 0));
    }
  }
}

/** `JSON.parse` reads `1e400` as Infinity, which counts as a whole number here. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) || Math.abs(value) === Infinity;
}

/**
 * Not a limit of the service: beyond 2^53 - 1, programs (this one included) may read a JSON number as different
 * values (RFC 8259, section 6), so the value that arrives may not be the one that was meant.
 */
function inexact(value: number): string | undefined {
  if (Number.isSafeInteger(value)) return undefined;
  const most = Number.MAX_SAFE_INTEGER.toString();
  return t('Numbers above {0} cannot be sent exactly. Enter {0} or less.', most);
}

function outside(field: { minimum: number; maximum?: number }, value: number): string | undefined {
  if (value < field.minimum) return t('Enter {0} or more.', field.minimum);
  if (field.maximum !== undefined && value > field.maximum) return t('Enter {0} or less.', field.maximum);
  return undefined;
}
