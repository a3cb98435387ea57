import { findNodeAtLocation, type Node, type ParseError, parseTree, stripComments } from 'jsonc-parser';
import { nestsTooDeep } from '../json/jsonDepth.ts';
import type { LaunchConfiguration } from './handlerConfiguration.ts';

/** What a launch.json becomes by a configuration, or where it has a mistake, as an offset into the text. */
export type LaunchEdit =
  | { kind: 'written'; text: string; replaces: boolean }
  | { kind: 'mistake'; offset: number };

/** In characters: nobody's is so long. */
const longest = 1_000_000;

/**
 * Puts a configuration into the text of a launch.json: in the place of the one of its name, else in front of the
 * others, where VS Code puts a new one as well. All else stays as it was written; an edit of jsonc-parser would lay
 * out the lines around it anew.
 * @param text empty where there is no such file
 */
export function withConfiguration(text: string, configuration: LaunchConfiguration): LaunchEdit {
  if (text.trim() === '') {
    const file = { version: '0.2.0', configurations: [configuration] };
    return { kind: 'written', text: `${JSON.stringify(file, null, 2)}\n`, replaces: false };
  }
  if (text.length > longest || nestsTooDeep(stripComments(text))) return { kind: 'mistake', offset: 0 };
  const mistakes: ParseError[] = [];
  const root = parseTree(text, mistakes, { allowTrailingComma: true });
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
    // What is said of the whole list stays behind its bracket.
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

/** How a file is laid out, by its first line that is indented. */
function layoutOf(text: string) {
  const [unit = '  '] = /^[ \t]+(?=["[{])/m.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    unit,
    eol,
    /** What the line of an offset begins with. */
    indentAt: (offset: number) =>
      /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1, offset))?.[0] ?? '',
    json: (value: unknown, indent: string) =>
      JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`),
  };
}
