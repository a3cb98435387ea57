// Loaded before the command line: while the file `<storage folder>.fault` holds the code of a system error, every call on
// the storage folder fails with it, those of SQLite included.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const { argv } = process;
const folder = argv[2] === 'program' ? (argv[3] ?? '') : (argv[argv.indexOf('--store') + 1] ?? '');
const { existsSync, readFileSync } = fs;

/** The codes of SQLite for some of the system; else it says that reading or writing failed. */
const sqliteCodes: Readonly<Record<string, number>> = { ENOSPC: 13, EROFS: 8, EACCES: 14 };
const ioError = 10;

function currentFault(): string {
  return existsSync(`${folder}.fault`) ? readFileSync(`${folder}.fault`, 'utf8') : '';
}

function replaceMethods(
  of: object,
  names: readonly string[],
  check: (name: string, first: unknown) => void,
): void {
  for (const name of names) {
    const original = Reflect.get(of, name) as (...args: unknown[]) => unknown;
    Reflect.set(of, name, function (this: unknown, ...args: unknown[]): unknown {
      check(name, args[0]);
      return original.apply(this, args);
    });
  }
}

replaceMethods(
  fs,
  ['mkdirSync', 'statSync', 'lstatSync', 'openSync', 'readdirSync', 'renameSync', 'rmSync', 'writeFileSync'],
  (name, path) => {
    if (typeof path !== 'string' || (path !== folder && !path.startsWith(`${folder}/`))) return;
    const code = currentFault();
    if (code !== '') throw Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code });
  },
);
syncBuiltinESMExports();

function checkSqlite(): void {
  const code = currentFault();
  if (code === '') return;
  const errcode = sqliteCodes[code] ?? ioError;
  throw Object.assign(new Error(`injected ${code}`), { code: 'ERR_SQLITE_ERROR', errcode });
}
replaceMethods(DatabaseSync.prototype, ['exec', 'prepare'], checkSqlite);
replaceMethods(StatementSync.prototype, ['all', 'get', 'iterate', 'run'], checkSqlite);
