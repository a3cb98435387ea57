/** A statement that binds names of a module: an import, or a `require`. */
const statement =
  /^(?:import\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}\s*|\*\s+as\s+[\w$]+\s*)?(?:from\s*)?["']([^"'\n]+)["']|(?:const|let|var)\s+(?:([\w$]+)|\{([^}]*)\})\s*=\s*require\(["']([^"'\n]+)["']\))[^\n]*/;

/** What may stand above code: white space, comments, directives. */
const above = /^(?:#![^\n]*|\s+|\/\/[^\n]*|\/\*[^]*?\*\/|(["'])use \w+\1;?)/;

/** Code to insert into a JavaScript or TypeScript file, split into the two places where it goes. */
export interface PlacedCode {
  /** The imports of the code that the file does not have. */
  imports: string;
  /** Where the imports go, as an offset in characters: after the file's imports, or what may stand above code. */
  at: number;
  rest: string;
}

/** @param text the file's text, with any line ends; @param code the code to insert, each import on its own line */
export function placedCode(text: string, code: string): PlacedCode {
  const isModule = /^(?:import|export)\b/m.test(text);
  const isCommonJs = !isModule && /\brequire\(|\bmodule\.exports\b|\bexports\.\w/.test(text);
  const importLine = /^import (?:([\w$]+)|\{ (.+) \}) from '(.+)';\n/gm;
  const bound = boundNames(text);
  const imports = [...code.matchAll(importLine)].flatMap(([, whole = '', some = '', module = '']) => {
    const isThere = (name: string) => bound.has(`${plain(module)} ${nameOf(name)}`);
    const missing = some.split(', ').filter((name) => name !== '' && !isThere(name));
    if (whole === '' ? missing.length === 0 : isThere(whole)) return [];
    const names = whole === '' ? `{ ${missing.join(', ')} }` : whole;
    return isCommonJs ? `const ${names} = require('${module}');\n` : `import ${names} from '${module}';\n`;
  });
  const rest = code.replaceAll(importLine, '').trimStart();
  return {
    imports: imports.join(''),
    at: topOf(text),
    rest: isCommonJs ? rest.replaceAll(/^export (?=async |function )/gm, '') : rest,
  };
}

/** The names that a file imports, each as `module name`. */
function boundNames(text: string): Set<string> {
  const all = text.matchAll(new RegExp(statement.source, 'gm'));
  return new Set(
    [...all].flatMap(([, one, some = '', module = '', required, several = '', requiredOf = '']) =>
      [one, required, ...some.split(','), ...several.split(',')].flatMap((name) =>
        name?.trim() ? [`${plain(module || requiredOf)} ${nameOf(name)}`] : [],
      ),
    ),
  );
}

/** An import specifier without `type`. It keeps an `as` clause: the local name has to be the same too. */
function nameOf(name: string): string {
  return name.trim().replace(/^type\s+/, '');
}

function plain(module: string): string {
  return module.replace(/^node:/, '');
}

function topOf(text: string): number {
  let [at, end] = [0, 0];
  for (;;) {
    const left = text.slice(end);
    const [bound] = statement.exec(left) ?? [];
    const [skipped] = bound === undefined ? (above.exec(left) ?? []) : [];
    if (bound === undefined && skipped === undefined) return at;
    end += (bound ?? skipped ?? '').length;
    const isComment = skipped !== undefined && /^\/[/*]/.test(skipped);
    const isApart = /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end));
    // A comment right above code belongs to it; the one at the top of a file is followed by an empty line.
    if (bound !== undefined || (isComment ? at === 0 && isApart : /^[#"']/.test(skipped ?? ''))) {
      at = end + (/^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0);
    }
  }
}
