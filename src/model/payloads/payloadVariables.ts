import { visit } from 'jsonc-parser';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { UserError } from '../text/userError.ts';

export type VariableKind = 'env' | 'input' | 'workspaceFolder' | 'workspaceFolderBasename';

/** A placeholder in a string of a payload. */
export interface PayloadVariable {
  kind: VariableKind;
  /** The name of the environment variable, or the id of the input; empty for a folder. */
  name: string;
  /** The path of its string in the document, such as `$runhook.headers.X-Key`. Each string has another. */
  place: string;
}

/** A JSON string that contains variables, with its offsets. */
interface FilledText {
  start: number;
  end: number;
  value: string;
  place: string;
}

/** A variable. A second `$` in front escapes it, so that it is meant literally. */
const variable = /(\$?)\$\{(?:(env|input):([^{}]*)|(workspaceFolder|workspaceFolderBasename))\}/g;

/** Keys of the settings block that describe the payload, not the call. Variables in them are not filled. */
const unfilledKeys = new Set(['app', 'project', 'inputs']);

/** The variables of a payload, in document order. @param text JSON, nested at most 500 levels deep */
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
 * Replaces the variables of a payload with their values. Each value is put inside its JSON string, which stays one
 * string whatever the value is; every other character stays.
 * @param valueOf throws if there is no value
 */
export function fillVariables(text: string, valueOf: (asked: PayloadVariable) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (const found of filledTexts(text)) {
    const filled = found.value.replace(variable, (...match: (string | undefined)[]) => {
      const read = readVariable(match.slice(0, 5), found.place);
      // Drops the escaping `$`.
      return read === undefined ? (match[0] ?? '').slice(1) : valueOf(read);
    });
    parts.push(text.slice(end, found.start), JSON.stringify(filled));
    end = found.end;
  }
  return [...parts, text.slice(end)].join('');
}

/** The strings of the document that contain variables. Property names are not included. */
function filledTexts(text: string): FilledText[] {
  const found: FilledText[] = [];
  if (!text.includes('{')) return found;
  visit(text, {
    onLiteralValue: (value, start, length, _line, _column, pathOf) => {
      if (typeof value !== 'string' || value.search(variable) < 0) return;
      const path = pathOf();
      const [block, key] = path;
      if (block === '$runhook' && unfilledKeys.has(String(key))) return;
      found.push({ start, end: start + length, value, place: placeText(path) });
    },
  });
  return found;
}

/** Names with dots and the like are quoted, so that no two paths have the same text. */
function placeText(path: readonly (string | number)[]): string {
  return path.map((part) => (/^[\w$-]+$/.test(String(part)) ? part : JSON.stringify(part))).join('.');
}

/** Undefined for an escaped variable, which is meant literally. */
function readVariable(match: readonly (string | undefined)[], place: string): PayloadVariable | undefined {
  const [whole = '', doubled, kind, name = '', folder] = match;
  if (doubled === '$') return undefined;
  if (kind !== undefined && name.trim() === '') {
    throw new UserError(t('{0} in the payload has no name after the colon.', plainText(whole)));
  }
  return { kind: (kind ?? folder) as VariableKind, name, place };
}
