/** Expressions that read an environment variable, by the editor's language id. */
const references: Readonly<Record<string, (name: string) => string>> = {
  javascript: nodeReference,
  javascriptreact: nodeReference,
  typescript: nodeReference,
  typescriptreact: nodeReference,
  python: (name) => `os.environ["${name}"]`,
  ruby: (name) => `ENV.fetch("${name}")`,
  go: (name) => `os.Getenv("${name}")`,
  php: (name) => `getenv('${name}')`,
  java: (name) => `System.getenv("${name}")`,
};

const quotes = ['"', "'", '`'];

/** The replacement for a value in a file. */
export interface EnvironmentReference {
  text: string;
  /** Whether it also replaces the quotes around the value. */
  withQuotes: boolean;
}

/**
 * The replacement for a value that is to come from the environment: an expression if the value is a quoted string
 * of a program, else a name that shells and most configuration files resolve.
 * @param languageId the editor's language id
 * @param around the characters before and after the value
 */
export function environmentReference(
  name: string,
  languageId: string,
  around: readonly [string, string],
): EnvironmentReference {
  const [before, after] = around;
  const reference = Object.hasOwn(references, languageId) ? references[languageId] : undefined;
  return reference !== undefined && before === after && quotes.includes(before)
    ? { text: reference(name), withQuotes: true }
    : { text: `$${name}`, withQuotes: false };
}

function nodeReference(name: string): string {
  return `process.env.${name}`;
}
