import { plainText } from '../text/plainText.ts';
import { t } from '../text/l10n.ts';

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

/** One field: its kind on the wire and its limits, both ends included (sections 2 and 8). */
export type Field = { name: FieldName; group: 'compute' | 'scaling' } & (
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'integer'; minimum: number; maximum?: number; unit?: 'seconds' }
  | { kind: 'decimal'; minimum: 0; maximum: number }
);

/** THE nine fields, in the order in which people are shown them. */
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
 * What is wrong with one value. `field` is what was sent, so it may be none of the nine; `instead` is what the
 * person probably means, as they have to write it.
 */
export type Problem = { field: string } & (
  | { code: 'notAnObject' }
  | { code: 'unknownField' }
  | { code: 'notAChoice'; choices: readonly string[] }
  | { code: 'notAnInteger'; instead?: string }
  /** Digits in quotes, where the wire takes a number; or a number, where it takes digits in quotes. */
  | { code: 'quoted' | 'notQuoted'; instead: string }
  | { code: 'notCarriedExactly' }
  | { code: 'notADecimalString'; instead?: string }
  | { code: 'belowMinimum'; minimum: number }
  | { code: 'aboveMaximum'; maximum: number }
);

export type Validation = { ok: true; settings: AppSettings } | { ok: false; problems: Problem[] };

/** Plain digits with an optional fraction: no exponent, no leading zero. A sign is read to say what is wrong. */
const decimal = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** A whole number, as `wireValue` of a typed field makes one of it. */
const digits = /^(?:0|-?[1-9][0-9]*)$/;

/** The field of that name; undefined where the service knows none such. */
export function fieldNamed(name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}

/** Checks settings as they would go over the wire. The form, the host and the sandbox all ask here. */
export function validate(settings: unknown): Validation {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    return { ok: false, problems: [{ field: '', code: 'notAnObject' }] };
  }
  const problems = Object.entries(settings).flatMap(([name, value]) => {
    const field = fieldNamed(name);
    const problem: Problem | undefined =
      field === undefined ? { field: name, code: 'unknownField' } : problemOf(field, value);
    return problem === undefined ? [] : [problem];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: { ...settings } };
}

/** What is wrong with a wire value of a field, or undefined where nothing is. */
export function problemOf(field: Field, value: unknown): Problem | undefined {
  switch (field.kind) {
    case 'choice':
      return typeof value === 'string' && field.choices.includes(value)
        ? undefined
        : { field: field.name, code: 'notAChoice', choices: field.choices };
    case 'integer':
      if (typeof value === 'string' && digits.test(value)) {
        return problemOf(field, Number(value)) ?? { field: field.name, code: 'quoted', instead: value };
      }
      if (typeof value !== 'number' || !isWhole(value)) return { field: field.name, code: 'notAnInteger' };
      // A limit of the field says more than one of JSON.
      return outside(field, value) ?? (Number.isSafeInteger(value) ? undefined : notCarriedExactly(field));
    case 'decimal': {
      if (typeof value === 'number' && decimal.test(value.toString())) {
        const instead = value.toString();
        return problemOf(field, instead) ?? { field: field.name, code: 'notQuoted', instead: `"${instead}"` };
      }
      const match = typeof value === 'string' ? decimal.exec(value) : null;
      if (match === null) return { field: field.name, code: 'notADecimalString' };
      const [, sign = '', whole = '', fraction = ''] = match;
      const isZero = !/[1-9]/.test(whole + fraction);
      if (sign !== '') return isZero ? { field: field.name, code: 'notADecimalString' } : outside(field, -1);
      // A fraction too long for a double must not round down onto the maximum.
      const beyond = Number(whole) === field.maximum && /[1-9]/.test(fraction);
      return outside(field, Number(whole) + (beyond ? 1 : 0));
    }
  }
}

/** What JSON reads of `1e400` is infinite, and was a whole number. */
function isWhole(value: number): boolean {
  return Number.isInteger(value) || Math.abs(value) === Infinity;
}

/**
 * No limit of the service: beyond 2^53 - 1 programs read a number of JSON as different ones (RFC 8259, section 6),
 * this one included, so that nobody could say whether what arrives is what was meant.
 */
function notCarriedExactly({ name }: Field): Problem {
  return { field: name, code: 'notCarriedExactly' };
}

function outside(field: Field & { minimum: number; maximum?: number }, value: number): Problem | undefined {
  if (value < field.minimum) return { field: field.name, code: 'belowMinimum', minimum: field.minimum };
  if (field.maximum !== undefined && value > field.maximum) {
    return { field: field.name, code: 'aboveMaximum', maximum: field.maximum };
  }
  return undefined;
}

/** A problem in words: what to enter instead. */
export function problemText(problem: Problem): string {
  switch (problem.code) {
    case 'notAnObject':
      return t('Settings are a JSON object.');
    case 'unknownField':
      return t('There is no setting "{0}".', plainText(problem.field));
    case 'notAChoice':
      return t('Choose one of {0}.', problem.choices.join(', '));
    case 'notAnInteger':
      return problem.instead === undefined
        ? t('Enter a whole number in plain digits, such as 2.')
        : t('Enter it in plain digits: {0}.', problem.instead);
    case 'quoted':
      return t('Give it as a number, without quotes: {0}.', problem.instead);
    case 'notQuoted':
      return t('Give it as a string, in quotes: {0}.', problem.instead);
    case 'notCarriedExactly':
      return t(
        'Numbers above {0} cannot be sent exactly. Enter {0} or less.',
        Number.MAX_SAFE_INTEGER.toString(),
      );
    case 'notADecimalString':
      return problem.instead === undefined
        ? t('Enter a number in plain digits, such as 4 or 0.5.')
        : t('Enter it in plain digits: {0}.', problem.instead);
    case 'belowMinimum':
      return t('Enter {0} or more.', problem.minimum);
    case 'aboveMaximum':
      return t('Enter {0} or less.', problem.maximum);
  }
}
