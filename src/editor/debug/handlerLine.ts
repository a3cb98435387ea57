/** Where the code of a handler begins that has no route of its own: it takes all that comes. */
const takesAll = /\bcreateServer\(|\bdef do_POST\b|\bexport (?:async )?function POST\b|\bfetch\s*\(\s*\w*req/;
/** How far below the line of its route a handler may begin. */
const mostBetween = 10;

/**
 * The number of the line, from 0, at which the handler of a path begins in a file of JavaScript, TypeScript or Python;
 * undefined if it is not there. It is a guess by the text: the user sees the line before anything is done with it.
 */
export function handlerLine(text: string, path: string): number | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/\s+\/\/ .*$/, ''));
  const route = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const named = new RegExp(`["'\`]${route}/?["'\`]`);
  const isRoute = (line: string): boolean =>
    named.test(line) && /[.@](?:post|all|route|use|put|api_route|on)\b|===?|\bcase\b/i.test(line);
  const at = lines.findIndex(isRoute);
  const from = at >= 0 ? at : lines.findIndex((line) => takesAll.test(line));
  if (from < 0) return undefined;
  const [, name] = namesHandler.exec(lines[from] ?? '') ?? [];
  if (name === undefined) return firstStatement(lines, from);
  const declared = lines.findIndex((line) => declares(name).test(line));
  return declared < 0 ? undefined : firstStatement(lines, declared);
}

/** `createServer(onDelivery)`, `app.post('/hook', raw, onDelivery);`: the handler is a function of its own. */
const namesHandler = /[(,]\s*([A-Za-z_$][\w$]*)\s*\)(?:\.listen\(.*)?;?\s*$/;

/** @param name an identifier */
function declares(name: string): RegExp {
  const it = String.raw`${name.replaceAll('$', String.raw`\$`)}(?![\w$])`;
  return new RegExp(
    String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:(?:async\s+)?(?:function\s*\*?|def)\s+${it}|(?:const|let|var)\s+${it}\s*[=:])`,
  );
}

/** The first line within the braces, or the function of Python, that begins at a line or soon after it. */
function firstStatement(lines: readonly string[], from: number): number | undefined {
  const opens = lines
    .slice(from, endOf(lines, from))
    .findIndex((line) => /[{]\s*$/.test(line) || /^\s*(?:async\s+)?def\b.*:\s*$/.test(line));
  // All of it stands in one line.
  if (opens < 0) return from;
  const body = from + opens + 1;
  const first = lines.slice(body, body + mostBetween).findIndex((line) => isStatement(line));
  return first < 0 ? undefined : body + first;
}

/** Of a call that ends in its line, without another one chained to it, that line alone is looked at. */
function endOf(lines: readonly string[], from: number): number {
  const line = lines[from] ?? '';
  const isWhole = /^[^@]*\(.*\);?\s*$/.test(line) && line.split('(').length === line.split(')').length;
  const isChained = /^\s*\./.test(lines[from + 1] ?? '');
  return isWhole && !isChained ? from + 1 : from + mostBetween;
}

function isStatement(line: string): boolean {
  return line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*|#|"""|''')/.test(line);
}
