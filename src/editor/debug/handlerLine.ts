/** Where the code of a handler begins that has no route of its own: it takes all that comes. */
const takesAll = /\bcreateServer\(|\bdef do_POST\b|\bexport (?:async )?function POST\b|\bfetch\s*\(\s*\w*req/;
/** How far below the line of its route a handler may begin. */
const mostBetween = 10;

/**
 * The number of the line, from 0, at which the handler of a path begins in a file of JavaScript, TypeScript or Python;
 * undefined if it is not there. It is a guess by the text: the user sees the line before anything is done with it.
 */
export function handlerLine(text: string, path: string): number | undefined {
  const lines = text.split(/\r?\n/);
  const route = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const named = new RegExp(`["'\`]${route}/?["'\`]`);
  const isRoute = (line: string): boolean =>
    named.test(line) && /[.@](?:post|all|route|use|put|api_route|on)\b|===?|\bcase\b/i.test(line);
  const at = lines.findIndex(isRoute);
  const from = at >= 0 ? at : lines.findIndex((line) => takesAll.test(line));
  return from < 0 ? undefined : firstStatement(lines, from);
}

/** The first line within the braces, or the function of Python, that begins at a line or soon after it. */
function firstStatement(lines: readonly string[], from: number): number | undefined {
  const opens = lines
    .slice(from, from + mostBetween)
    .findIndex((line) => /[{]\s*$/.test(line) || /^\s*(?:async\s+)?def\b.*:\s*$/.test(line));
  // All of it stands in one line.
  if (opens < 0) return from;
  const body = from + opens + 1;
  const first = lines.slice(body, body + mostBetween).findIndex((line) => isStatement(line));
  return first < 0 ? undefined : body + first;
}

function isStatement(line: string): boolean {
  return line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*|#|"""|''')/.test(line);
}
