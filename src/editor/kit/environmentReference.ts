/** How a program reads an environment variable, and joins texts. */
interface Language {
  read: (name: string) => string;
  joins: '+' | '.';
}

const node: Language = { read: (name) => `process.env.${name}`, joins: '+' };

/** By the editor's language id. */
const languages: Readonly<Record<string, Language>> = {
  javascript: node,
  javascriptreact: node,
  typescript: node,
  typescriptreact: node,
  python: { read: (name) => `os.environ["${name}"]`, joins: '+' },
  ruby: { read: (name) => `ENV.fetch("${name}")`, joins: '+' },
  go: { read: (name) => `os.Getenv("${name}")`, joins: '+' },
  php: { read: (name) => `getenv('${name}')`, joins: '.' },
  java: { read: (name) => `System.getenv("${name}")`, joins: '+' },
};

const quotes = ['"', "'", '`'];

/** The replacement for a value in a file. */
export interface EnvironmentReference {
  text: string;
  /** Whether it also replaces the quote before the value, and the one after it. */
  withQuotes: readonly [before: boolean, after: boolean];
}

/**
 * The replacement for a value that is to come from the environment: an expression if the value is in a string of a
 * program, else a name that shells and most configuration files resolve.
 * @param languageId the editor's language id
 * @param before the line up to the value
 * @param after the line behind it
 */
export function environmentReference(
  name: string,
  languageId: string,
  before: string,
  after: string,
): EnvironmentReference {
  const language = Object.hasOwn(languages, languageId) ? languages[languageId] : undefined;
  const quote = openQuote(before);
  if (language === undefined || quote === '') return { text: `$${name}`, withQuotes: [false, false] };
  const read = language.read(name);
  const [isFirst, isLast] = [before.endsWith(quote), after.startsWith(quote)];
  if (quote === '`' && language === node && !(isFirst && isLast))
    return { text: `\${${read}}`, withQuotes: [false, false] };
  // In a longer string, that is closed before it, and opened again after it.
  const text = [
    ...(isFirst ? [] : [`${quote} ${language.joins} `]),
    read,
    ...(isLast ? [] : [` ${language.joins} ${quote}`]),
  ].join('');
  return { text, withQuotes: [isFirst, isLast] };
}

/** The quote of the string in which a line of code ends; empty if it ends in none. */
function openQuote(line: string): string {
  let open = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (open !== '' && character === '\\') at += 1;
    else if (character === open) open = '';
    else if (open === '' && quotes.includes(character)) open = character;
  }
  return open;
}
