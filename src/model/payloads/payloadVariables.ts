import { visit } from 'jsonc-parser';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { UserError } from '../text/userError.ts';

export type VariableKind = 'env' | 'input' | 'workspaceFolder' | 'workspaceFolderBasename';

/** Something in a text of a payload that stands for another text. */
export interface PayloadVariable {
  kind: VariableKind;
  /** Of the environment's variable, or the id of the input; empty for a folder. */
  name: string;
  /** Where it stands, as `$runhook.headers.X-Key`. */
  place: string;
}

/** A text of JSON that has variables in it, as offsets. */
interface FilledText {
  start: number;
  end: number;
  value: string;
  place: string;
}

/** With a second `$` before it, what it says is meant. */
const variable = /(\$?)\$\{(?:(env|input):([^{}]*)|(workspaceFolder|workspaceFolderBasename))\}/g;

/** What the settings block says of the payload itself, and not of the call. */
const unfilled = new Set(['app', 'project', 'inputs']);

/** The variables of a payload, in the order in which they stand. @param text JSON, of no more than 500 levels */
export function variablesIn(text: string): PayloadVariable[] {
  const found: PayloadVariable[] = [];
  for (const { value, place } of filledTexts(text)) {
    for (const one of value.matchAll(variable)) {
      const read = readVariable(one, place);
      if (read !== undefined) found.push(read);
    }
  }
  return found;
}

/**
 * A payload with the values of its variables. Each is put into the text that it stands in, which stays one text of
 * JSON whatever the value is; every other character stays.
 * @param valueOf throws where there is none
 */
export function fillVariables(text: string, valueOf: (asked: PayloadVariable) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (const found of filledTexts(text)) {
    const filled = found.value.replace(variable, (...match: (string | undefined)[]) => {
      const read = readVariable(match.slice(0, 5), found.place);
      // The `$` before it goes.
      return read === undefined ? (match[0] ?? '').slice(1) : valueOf(read);
    });
    parts.push(text.slice(end, found.start), JSON.stringify(filled));
    end = found.end;
  }
  return [...parts, text.slice(end)].join('');
}

/** The texts of the document with variables in them; names of members are none. */
function filledTexts(text: string): FilledText[] {
  const found: FilledText[] = [];
  if (!text.includes('{')) return found;
  visit(text, {
    onLiteralValue: (value, start, length, _line, _column, pathOf) => {
      if (typeof value !== 'string' || value.search(variable) < 0) return;
      const path = pathOf();
      const [block, key] = path;
      if (block === '$runhook' && unfilled.has(String(key))) return;
      found.push({ start, end: start + length, value, place: path.join('.') });
    },
  });
  return found;
}

/** Undefined for what is meant as it is written. */
function readVariable(match: readonly (string | undefined)[], place: string): PayloadVariable | undefined {
  const [whole = '', doubled, kind, name = '', folder] = match;
  if (doubled === '$') return undefined;
  if (kind !== undefined && name.trim() === '') {
    throw new UserError(t('{0} of the payload names nothing.', plainText(whole)));
  }
  return { kind: (kind ?? folder) as VariableKind, name, place };
}
