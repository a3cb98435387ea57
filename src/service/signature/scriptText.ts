/** A name that a script declares on its own level. */
interface DeclaredName {
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
        isExpressApp,
      };
    } else {
      yield* namesIn(pattern.slice(1, -1), /\s*:\s*/, module, end);
    }
    if (code.charAt(to) === ';') return;
    from = to + 1;
  }
}

/** A JavaScript or TypeScript file as far as its statements can be told apart without a parser. */
export interface ScriptText {
  /** The text with its comments made blank, and what is in strings, templates and regular expressions. */
  code: string;
  /** How many brackets are open before each character. */
  depths: Uint32Array;
  /** 1 where text that is put before the character would be part of a comment, string, template or regular expression. */
  inside: Uint8Array;
}

const comment = /(?:\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))/y;
/** Ends with its line, closed or not. */
const quoted = /(?:"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)/y;
const regex = /\/(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
/** The text of a template up to its end, or to the next `${`. */
const ofTemplate = /(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;
/** Behind these a slash begins a regular expression, and divides nothing. */
const beforeRegex =
  /(?:^|[^\w$)\]}"]|(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield))$/;

export function readScript(text: string): ScriptText {
  const code = Array.from({ length: text.length }, () => ' ');
  const depths = new Uint32Array(text.length + 1);
  const inside = new Uint8Array(text.length + 1);
  /** For each open template, the depth at which a `}` leads back into its text. */
  const templates: number[] = [];
  let [at, depth] = [0, 0];
  /** The last characters of the code. Literals stand in it as a quotation mark, white space between words as one space. */
  let before = '';
  const lengthOf = (pattern: RegExp, from = at): number => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.[0].length ?? 0;
  };
  /** Takes what is no code. Its first and last characters stand for it in the code if it is a value. */
  const skip = (length: number, isValue: boolean): void => {
    const end = at + length;
    depths.fill(depth, at, end);
    inside.fill(1, at + 1, end);
    for (let one = at; one < end; one += 1) if (text[one] === '\n') code[one] = '\n';
    if (isValue) {
      code[at] = '"';
      code[end - 1] = '"';
      before = '"';
    }
    at = end;
  };
  /** @param from the offset of its text, behind the backtick or brace */
  const skipTemplate = (from: number): void => {
    const end = from + lengthOf(ofTemplate, from);
    const goesOn = text.endsWith('${', end) && end > from;
    skip(end - at, true);
    if (!goesOn) return;
    templates.push(depth);
    depth += 1;
    before = '(';
  };
  if (text.startsWith('#!')) skip(lengthOf(/[^\n]*/y), false);
  while (at < text.length) {
    const one = text.charAt(at);
    const shown = before.trimEnd();
    const ofComment = one === '/' ? lengthOf(comment) : 0;
    const ofLiteral =
      one === '"' || one === "'"
        ? lengthOf(quoted)
        : one === '/' && ofComment === 0 && beforeRegex.test(shown)
          ? lengthOf(regex)
          : 0;
    if (ofComment > 0) {
      const isLine = text[at + 1] === '/';
      skip(ofComment, false);
      // What is put at the end of its line would still be part of it.
      if (isLine) inside[at] = 1;
    } else if (ofLiteral > 0) {
      skip(ofLiteral, true);
    } else if (one === '`') {
      skipTemplate(at + 1);
    } else if (one === '}' && templates.at(-1) === depth - 1) {
      templates.pop();
      depth -= 1;
      skipTemplate(at + 1);
    } else {
      depths[at] = depth;
      code[at] = one;
      at += 1;
      if (/[)\]}]/.test(one)) depth = Math.max(0, depth - 1);
      if (/[([{]/.test(one)) depth += 1;
      before = (/\s/.test(one) ? `${shown} ` : before + one).slice(-12);
    }
  }
  depths[text.length] = depth;
  return { code: code.join(''), depths, inside };
}

/** Words that go on with the statement before them, and words that the statement behind them goes on with. */
const goesOn =
  /^(?:else|catch|finally|while|from|as|with|assert|extends|implements|instanceof|in|of|is|satisfies)\b/;
const isOpen =
  /(?:^|[^\w$.])(?:else|do|return|async|export|default|const|let|var|function|class|enum|interface|type|namespace|abstract|declare|new|extends|implements|import|from|typeof|void|in|of|await|case|throw|as)$/;

/** Whether a statement of the file's own level ends before an offset, and the next one begins behind it. */
export function isBetweenStatements({ code, depths, inside }: ScriptText, at: number): boolean {
  if (depths[at] !== 0 || inside[at] === 1) return false;
  const lineStart = code.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = (code.indexOf('\n', at) + 1 || code.length + 1) - 1;
  // In the middle of a line.
  if (at > 0 && code.slice(lineStart, at).trim() !== '' && code.slice(at, lineEnd).trim() !== '')
    return false;
  const before = code.slice(0, at).trimEnd();
  const next = code.slice(at).trimStart();
  if (before === '' || before.endsWith(';')) return true;
  if (next !== '' && !/^[\w$"@]/.test(next)) return false;
  if (goesOn.test(next)) return false;
  if (before.endsWith('}')) return true;
  // Without a semicolon, the next statement begins a line, and is not the body of what stands before it.
  if (!/[\w$)\]"]$/.test(before.slice(-1)) || isOpen.test(before.slice(-20))) return false;
  if (/^\s*(?:@|(?:\}\s*)?(?:if|for|while|with|else)\b)/.test(before.slice(before.lastIndexOf('\n') + 1)))
    return false;
  if (before.endsWith(')') && /^(?:@|(?:class|export|abstract)\b)/.test(next)) return false;
  return next === '' || code.charAt(code.length - next.length - 1) === '\n';
}

/** How many lines outside of brackets one statement has at most. What is longer is taken to go on to the end. */
const mostLines = 200;

/** Where the statement that begins at an offset ends: the start of the next line between two statements. */
export function endOfStatement(script: ScriptText, start: number): number {
  const { code, depths } = script;
  let lines = 0;
  for (let end = code.indexOf('\n', start); end !== -1; end = code.indexOf('\n', end + 1)) {
    if (depths[end + 1] !== 0) continue;
    if (isBetweenStatements(script, end + 1)) return end + 1;
    lines += 1;
    if (lines === mostLines) break;
  }
  return code.length;
}
