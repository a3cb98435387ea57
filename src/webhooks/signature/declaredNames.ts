import { endOfStatement, type ScriptText } from './scriptText.ts';

/** A name that a script declares on its own level. */
export interface DeclaredName {
  name: string;
  /** The module that it is taken from, without `node:`. */
  module?: string;
  /** Whether it has the name that it has in the module. A default export, or the whole module, can have any. */
  isUnrenamed?: boolean;
  /** Whether it is an app of Express. */
  isExpressApp?: boolean;
  /** Where its statement ends. */
  end: number;
}

/** How much of a declaration is read for its names and for what they are set to, in characters. */
const mostRead = 5000;

/** All names that a script declares on its own level, and those that `var` declares anywhere. */
export function declaredNames(script: ScriptText, text: string): DeclaredName[] {
  const { code, depths } = script;
  const found: DeclaredName[] = [];
  /** What the script calls the module express. */
  const express = new Set<string>();
  const add = (names: Iterable<DeclaredName>): void => {
    for (const one of names) {
      found.push(one);
      if (one.module === 'express') express.add(one.name);
    }
  };
  const keyword =
    /(?<![\w$.])(?:(import)\b(?!\s*[(.])|(const|let|var)\s|(?:function|class|enum|namespace|interface|type)\b[\s*]*([\w$]+))/g;
  for (const { index, 1: isImport, 2: list, 3: name } of code.matchAll(keyword)) {
    if (depths[index] !== 0) {
      const [hoisted] = (list === 'var' && /[\w$]+/.exec(code.slice(index + 4, index + 200))) || [];
      if (hoisted !== undefined) add([{ name: hoisted, end: code.length }]);
      continue;
    }
    const end = endOfStatement(script, index);
    if (name !== undefined) add([{ name, end }]);
    if (isImport !== undefined) add(ofImport(text.slice(index, end), end));
    if (list !== undefined) add(ofList(script, text, index + list.length, end, express));
  }
  // `export { one as other }` takes the other name.
  for (const [, names = ''] of code.matchAll(/\bexport\s*\{([^}]*)\}/g)) {
    for (const [, name = ''] of names.matchAll(/\bas\s+([\w$]+)/g)) add([{ name, end: code.length }]);
  }
  return found;
}

function ofImport(statement: string, end: number): DeclaredName[] {
  const read =
    /^import\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}\s*|\*\s*as\s+([\w$]+)\s*)?(?:from\s*["']([^"'\n]+)["']|=\s*require\(\s*["']([^"'\n]+)["'])/.exec(
      statement,
    );
  if (read === null) return [];
  const [, whole, some = '', all, from, required = ''] = read;
  const module = (from ?? required).replace(/^node:/, '');
  return [
    ...[whole, all].flatMap((name) => (name === undefined ? [] : [{ name, module, isUnrenamed: true, end }])),
    ...namesIn(some, /\s+as\s+/, module, end),
  ];
}

/** The names between braces. @param renames what stands between the name in the module and the one in the file */
function namesIn(list: string, renames: RegExp, module: string | undefined, end: number): DeclaredName[] {
  return list.split(',').flatMap((one) => {
    const [imported = '', local = imported] = one
      .replace(/=.*$/s, '')
      .replace(/^\s*type\s+/, '')
      .replace('...', '')
      .split(renames)
      .map((name) => name.trim());
    if (!/^[\w$]+$/.test(local)) return (one.match(/[\w$]+/g) ?? []).map((name) => ({ name, end }));
    return [{ name: local, end, ...(module !== undefined && { module, isUnrenamed: local === imported }) }];
  });
}

/** The names of `const a = 1, { b } = require('b');`. @param express what the script calls that module */
function* ofList(
  { code, depths }: ScriptText,
  text: string,
  start: number,
  end: number,
  express: ReadonlySet<string>,
): Generator<DeclaredName> {
  for (let from = start; from < end;) {
    let to = from;
    while (to < end && !(depths[to] === 0 && /[,;]/.test(code.charAt(to)))) to += 1;
    const until = Math.min(to, from + mostRead);
    const [bare, whole] = [code.slice(from, until), text.slice(from, until)];
    const [, name, pattern = ''] = /^\s*(?:([\w$]+)|([{[][^]*?[}\]])\s*(?::[^=]*)?=)/.exec(bare) ?? [];
    const value = /=\s*(?:[\w$.]+\s*=\s*)*([^]*)$/.exec(whole.slice(pattern.length))?.[1]?.trim() ?? '';
    const required =
      /^(?:await\s+)?(?:require|import)\s*\(\s*["']([^"'\n]+)["']\s*\)(?=\s*(?:$|\/[/*]))/.exec(value)?.[1];
    const module = required?.replace(/^node:/, '');
    if (name !== undefined) {
      const [, callee = ''] = /^([\w$]+)\(\)/.exec(value) ?? [];
      const isExpressApp = express.has(callee) || /^require\(\s*["']express["']\s*\)\(\)/.test(value);
      yield {
        name,
        end,
        ...(module !== undefined && { module, isUnrenamed: true }),
        ...(isExpressApp && { isExpressApp }),
      };
    } else {
      yield* namesIn(pattern.slice(1, -1), /\s*:\s*/, module, end);
    }
    if (code.charAt(to) === ';') return;
    from = to + 1;
  }
}
