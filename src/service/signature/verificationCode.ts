import type { verificationTargetIds } from '../../contract/values.ts';
import { t } from '../../shared/text/l10n.ts';
import {
  type ScriptText,
  declaredNames,
  endOfStatement,
  isBetweenStatements,
  readScript,
} from './scriptText.ts';

/** A way in which people receive webhooks, and the files that its verification code is made of. */
export interface VerificationTarget {
  id: (typeof verificationTargetIds)[number];
  title: string;
  /** The editor's language id. */
  language: string;
  /** Below media/snippets. */
  file: string;
  /** The file with the verifying function, if `file` imports it. */
  verify?: string;
}

const typescript = { language: 'typescript', verify: 'typescript/verify.ts' };
const javascript = { language: 'javascript', verify: 'javascript/verify.js' };
const python = { language: 'python', verify: 'python/verify.py' };

/** All targets. The tests run the files of those whose runtime the machine has. */
export const verificationTargets: readonly VerificationTarget[] = [
  { ...typescript, id: 'node', title: 'TypeScript: node:http', file: 'typescript/node.ts' },
  { ...typescript, id: 'express', title: 'TypeScript: Express', file: 'typescript/express.ts' },
  { ...typescript, id: 'fetch', title: 'TypeScript: Fetch API', file: 'typescript/fetch.ts' },
  {
    language: 'typescript',
    id: 'function',
    title: 'TypeScript',
    file: 'typescript/verify.ts',
  },
  { ...javascript, id: 'nodeJs', title: 'JavaScript: node:http', file: 'javascript/node.js' },
  { ...javascript, id: 'expressJs', title: 'JavaScript: Express', file: 'javascript/express.js' },
  { ...javascript, id: 'fetchJs', title: 'JavaScript: Fetch API', file: 'javascript/fetch.js' },
  {
    language: 'javascript',
    id: 'functionJs',
    title: 'JavaScript',
    file: 'javascript/verify.js',
  },
  { ...python, id: 'flask', title: 'Python: Flask', file: 'python/flask_app.py' },
  { ...python, id: 'fastapi', title: 'Python: FastAPI', file: 'python/fastapi_app.py' },
  { id: 'go', title: 'Go: net/http', language: 'go', file: 'go/webhook.go' },
  { id: 'ruby', title: 'Ruby: Rack', language: 'ruby', file: 'ruby/webhook.rb' },
  { id: 'php', title: 'PHP', language: 'php', file: 'php/webhook.php' },
  { id: 'java', title: 'Java: HttpServer', language: 'java', file: 'java/WebhookReceiver.java' },
];

/** What a target is called in the language of the editor. */
export function targetTitle({ title, file }: VerificationTarget): string {
  return /\/verify\.[jt]s$/.test(file) ? t('{0}: the function alone', title) : title;
}

/** The line by which a file imports the verifying function; always the last of its imports. */
const verifyImport =
  /^(?:import \{ receiveWebhook \} from '\.\/verify\.[jt]s';|from verify import receive_webhook)\n/m;

/**
 * The code as one file: the verifying function replaces its import.
 * @param read reads a file below media/snippets
 * @param vendor the vendor's part of the header names, in lower case
 * @param path where deliveries go; one that is more than plain words is left to whoever gets the code
 */
export async function verificationCode(
  target: VerificationTarget,
  read: (file: string) => Promise<string>,
  vendor = 'service',
  path = '',
): Promise<string> {
  const main = await read(target.file);
  const verify = target.verify === undefined ? '' : await read(target.verify);
  const route = /^(?:\/[\w.-]+)+$/.test(path) ? path : '/webhook';
  const whole = main.replace(verifyImport, () => verify).replace(/(?<=["'])\/webhook(?=["'])/, route);
  if (!/^[a-z0-9-]+$/.test(vendor)) return whole;
  const capitals = vendor.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  return whole
    .replaceAll('x-service-webhook-', `x-${vendor}-webhook-`)
    .replaceAll('X-Service-Webhook-', `X-${capitals}-Webhook-`);
}

/** The open file, in JavaScript or TypeScript. */
interface ScriptFile {
  text: string;
  /** Its name, whose ending says what the file may contain: `app.cjs` has no imports. */
  name: string;
}

/** Code to insert into a JavaScript or TypeScript file, split into the two places where it goes. */
interface PlacedCode {
  /** The imports of the code that the file does not have. */
  imports: string;
  /** Where the imports go, as an offset in characters: after the file's imports, or what may stand above code. */
  at: number;
  rest: string;
  /** Where the rest goes: at the cursor if that is between two statements, else behind the file's last one. */
  restAt: number;
}

/** The app of the code for Express, and how it listens. A file that has an app needs neither. */
const ownApp = /^const app = express\(\);\n/m;
const ownListening = /\nconst server = app\.listen\([^]*?\n\}\);\n/;

/**
 * The file parses with the code in it: the code takes other names where the file has its own, and the file's own app if it
 * has one of Express.
 * @param file with any line ends
 * @param code the code to insert, each import on its own line
 * @param cursor an offset in characters
 */
export function placedCode({ text, name }: ScriptFile, code: string, cursor = text.length): PlacedCode {
  const script = readScript(text);
  const isCommonJs = isOfCommonJs(script.code, name);
  const declared = declaredNames(script, text);
  const importLine = /^import (?:([\w$]+)|\{ (.+) \}) from '(.+)';\n/gm;
  let rest = code.replaceAll(importLine, '').trimStart();

  const app = declared.find(({ isExpressApp }) => isExpressApp);
  if (app !== undefined && ownApp.test(rest)) {
    rest = renamed(rest.replace(ownApp, '').replace(ownListening, '').trimStart(), 'app', app.name);
  }
  const taken = new Set(declared.map((one) => one.name));
  const ownNames = declaredNames(readScript(rest), rest).map((one) => one.name);
  const free = (wanted: string): string => {
    let [other, number] = [wanted, 2];
    while (taken.has(other) || (other !== wanted && ownNames.includes(other))) {
      other = `${wanted}${number}`;
      number += 1;
    }
    taken.add(other);
    return other;
  };
  const isThere = (imported: string, module: string): boolean =>
    declared.some((one) => one.name === imported && one.module === plain(module) && one.isUnrenamed);
  const imports = [...code.matchAll(importLine)].flatMap(([, whole, some = '', module = '']) => {
    const wanted = whole === undefined ? some.split(', ') : [whole];
    const missing = wanted.filter((one) => !isThere(withoutType(one), module));
    if (missing.length === 0) return [];
    const as = isCommonJs ? ': ' : ' as ';
    const clauses = missing.map((one) => {
      const imported = withoutType(one);
      const local = free(imported);
      rest = renamed(rest, imported, local);
      if (whole !== undefined) return local;
      return local === imported ? one : `${one}${as}${local}`;
    });
    const names = whole === undefined ? `{ ${clauses.join(', ')} }` : clauses.join('');
    return isCommonJs ? `const ${names} = require('${module}');\n` : `import ${names} from '${module}';\n`;
  });
  for (const own of ownNames) if (taken.has(own)) rest = renamed(rest, own, free(own));

  const at = topOf(script, text);
  const behindApp = app !== undefined && rest.includes(`${app.name}.post(`) ? app.end : 0;
  const from = Math.max(at, behindApp);
  return {
    imports: imports.join(''),
    at,
    rest: isCommonJs ? rest.replaceAll(/^export (?=async |function )/gm, '') : rest,
    restAt: cursor <= from ? from : isBetweenStatements(script, cursor) ? cursor : text.length,
  };
}

/** Whether the file takes what it needs by `require`. TypeScript has imports everywhere. */
function isOfCommonJs(code: string, name: string): boolean {
  if (/\.cjs$/i.test(name)) return true;
  if (/\.(?:mjs|[cm]?tsx?)$/i.test(name)) return false;
  if (/^(?:import\b(?!\s*\()|export\b)|\bimport\.meta\b/m.test(code)) return false;
  return /\brequire\(|\bmodule\.exports\b|\bexports\.\w|\b__(?:dir|file)name\b/.test(code);
}

/** The code with another name for one of its own, where it is a name and not a property. */
function renamed(code: string, name: string, other: string): string {
  if (name === other) return code;
  const { code: bare } = readScript(code);
  const found = [...bare.matchAll(new RegExp(`(?<![\\w$.])${name}(?![\\w$])`, 'g'))];
  return found.reduceRight(
    (text, { index }) => text.slice(0, index) + other + text.slice(index + name.length),
    code,
  );
}

function withoutType(name: string): string {
  return name.replace(/^type\s+/, '');
}

function plain(module: string): string {
  return module.replace(/^node:/, '');
}

/** What may stand above code: white space, comments, directives. */
const above = /^(?:#![^\n]*|\s+|\/\/[^\n]*|\/\*[^]*?\*\/|(["'])use \w+\1;?)/;

/** A statement that takes something from a module. */
const taking =
  /^(?:import\b(?!\s*[(.])|(?:export\s+)?(?:const|let|var)\s[\w$\s{},:]*=\s*(?:await\s+)?(?:require|import)\s*\(|require\s*\()/;

function topOf(script: ScriptText, text: string): number {
  let [at, end] = [0, 0];
  for (;;) {
    if (taking.test(script.code.slice(end, end + 2000))) {
      at = endOfStatement(script, end);
      end = at;
      continue;
    }
    const left = text.slice(end);
    const [skipped] = above.exec(left) ?? [];
    if (skipped === undefined) return at;
    end += skipped.length;
    const isComment = /^\/[/*]/.test(skipped);
    const isApart = /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end));
    // A comment right above code belongs to it; the one at the top of a file is followed by an empty line.
    if (isComment ? at === 0 && isApart : /^[#"']/.test(skipped)) {
      at = end + (/^[ \t]*\r?\n/.exec(text.slice(end))?.[0].length ?? 0);
    }
  }
}
