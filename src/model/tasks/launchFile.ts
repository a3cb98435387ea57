import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
} from 'jsonc-parser';
import { nestsTooDeep } from '../json/jsonDepth.ts';
import type { LaunchConfiguration } from './handlerConfiguration.ts';

/** The new text of a launch.json, or where the old text has a mistake, as an offset. */
export type LaunchEdit =
  | { kind: 'written'; text: string; replaces: boolean }
  | { kind: 'mistake'; offset: number };

/** The longest launch.json that is edited, in characters. Real ones are much shorter. */
const longest = 1_000_000;

/**
 * Puts a configuration into the text of a launch.json: replaces the one with the same name, else inserts it before
 * the others, as VS Code does. Everything else stays as it was written; an edit of jsonc-parser would reformat the
 * lines around it.
 * @param text empty if there is no such file; comments alone stay above what is written
 */
export function withConfiguration(text: string, configuration: LaunchConfiguration): LaunchEdit {
  if (text.length > longest || nestsTooDeep(stripComments(text))) return { kind: 'mistake', offset: 0 };
  const mistakes: ParseError[] = [];
  const root = parseTree(text, mistakes, { allowTrailingComma: true });
  const isEmpty = stripComments(text).trim() === '';
  if (isEmpty && mistakes.every(({ error }) => printParseErrorCode(error) === 'ValueExpected')) {
    const { eol, json } = layoutOf(text);
    const comments = text.trim() === '' ? '' : text.trimEnd() + eol;
    const file = json({ version: '0.2.0', configurations: [configuration] }, '');
    return { kind: 'written', text: comments + file + eol, replaces: false };
  }
  if (mistakes[0] !== undefined) return { kind: 'mistake', offset: mistakes[0].offset };
  if (root?.type !== 'object') return { kind: 'mistake', offset: root?.offset ?? 0 };
  const list = findNodeAtLocation(root, ['configurations']);
  if (list !== undefined && list.type !== 'array') return { kind: 'mistake', offset: list.offset };
  const old = list?.children?.find((one) => nameOf(one) === configuration.name);
  const { unit, eol, indentAt, json } = layoutOf(text);
  const put = (start: number, end: number, added: string): LaunchEdit => ({
    kind: 'written',
    text: text.slice(0, start) + added + text.slice(end),
    replaces: old !== undefined,
  });
  if (old !== undefined) {
    return put(old.offset, old.offset + old.length, json(configuration, indentAt(old.offset)));
  }
  if (list !== undefined) {
    const indent = indentAt(list.offset);
    const inside = text.slice(list.offset + 1, list.offset + list.length - 1);
    // A comment about the whole list stays right after its bracket.
    const [comment = ''] = /^[ \t]*\/\/[^\r\n]*/.exec(inside) ?? [];
    const isFirst = list.children?.length === 0;
    const end = isFirst ? (inside.includes('\n') ? '' : eol + indent) : ',';
    const at = list.offset + 1 + comment.length;
    return put(at, at, eol + indent + unit + json(configuration, indent + unit) + end);
  }
  const last = root.children?.at(-1);
  const at = last === undefined ? root.offset + 1 : last.offset + last.length;
  const member = `${eol}${unit}"configurations": ${json([configuration], unit)}`;
  return put(at, at, last === undefined ? member + eol : `,${member}`);
}

function nameOf(configuration: Node): unknown {
  return configuration.type === 'object' ? findNodeAtLocation(configuration, ['name'])?.value : undefined;
}

/** The formatting of a file, taken from its first indented line. */
function layoutOf(text: string) {
  const [unit = '  '] = /^[ \t]+(?=["[{])/m.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    unit,
    eol,
    /** The indentation of the line at an offset. */
    indentAt: (offset: number) =>
      /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1, offset))?.[0] ?? '',
    json: (value: unknown, indent: string) =>
      JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`),
  };
}
