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
