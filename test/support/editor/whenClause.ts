/** The values of the context keys. */
export type Context = Record<string, string | number | boolean | readonly string[] | undefined>;

const tokens = /\s*(\|\||&&|\(|\)|!=|!|==|=~|>|\/(?:[^/\\]|\\.)*\/|[\w.:-]+)/gy;

/** Evaluates a `when` clause. Supports the operators that package.json uses. @throws Error for anything else */
export function evaluateWhen(clause: string, context: Context): boolean {
  const left = [...clause.matchAll(tokens)].map(([, token]) => token ?? '');
  const withoutSpaces = (text: string): string => text.replaceAll(' ', '');
  if (withoutSpaces(left.join('')) !== withoutSpaces(clause))
    throw new Error(`Cannot read the clause: ${clause}`);
  const next = (): string => left.shift() ?? '';
  const isNext = (token: string): boolean => left[0] === token && next() !== '';

  function either(): boolean {
    let holds = both();
    while (isNext('||')) holds = both() || holds;
    return holds;
  }
  function both(): boolean {
    let holds = one();
    while (isNext('&&')) holds = one() && holds;
    return holds;
  }
  function one(): boolean {
    if (isNext('!')) return !one();
    if (isNext('(')) {
      const holds = either();
      if (!isNext(')')) throw new Error(`No bracket is closed in the clause: ${clause}`);
      return holds;
    }
    const key = next();
    if (key === 'true' || key === 'false') return key === 'true';
    const value = context[key];
    const isIn = (list: Context[string]) => Array.isArray(list) && list.includes(value);
    if (isNext('not') && isNext('in')) return !isIn(context[next()]);
    if (isNext('in')) return isIn(context[next()]);
    if (isNext('==')) return String(value) === next();
    if (isNext('!=')) return String(value) !== next();
    if (isNext('>')) return Number(value ?? 0) > Number(next());
    if (isNext('=~')) return new RegExp(next().slice(1, -1)).test(String(value ?? ''));
    return Boolean(value);
  }

  const holds = either();
  if (left.length > 0) throw new Error(`Cannot read the clause: ${clause}`);
  return holds;
}
