import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { UserError } from '../text/userError.ts';
import { readSecretVariable } from './readSecretVariable.ts';
import { readsAsVariable } from './readsAsVariable.ts';

/** The name of the launch configuration of *Debug a Handler…*. Not translated: sessions are recognised by it. */
export const handlerConfigurationName = 'Debug Webhook Handler';

/** The runtimes of the files that can start a handler, by file extension. */
const runtimes: ReadonlyMap<string, 'node' | 'python'> = new Map([
  ...['js', 'cjs', 'mjs', 'ts', 'cts', 'mts'].map((suffix) => [suffix, 'node'] as const),
  ['py', 'python'],
]);

/** The extensions of those files, without the dot. */
export const handlerSuffixes: readonly string[] = [...runtimes.keys()];

/** The runtime of a file; undefined if Runhook knows of none. */
export function runtimeOf(path: string): 'node' | 'python' | undefined {
  if (/\.d\.[cm]?ts$/i.test(path)) return undefined;
  return runtimes.get(/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** The file that starts the app whose handler is to be debugged. */
export interface HandlerFile {
  /** Relative to its workspace folder, with forward slashes. */
  path: string;
  text: string;
  /** Whether the folder has tsx, which supports more of TypeScript than Node itself. */
  hasTsx: boolean;
}

/** A launch configuration as launch.json has it. */
export interface LaunchConfiguration {
  name: string;
  type: string;
  request: string;
  [attribute: string]: unknown;
}

/** The task that listens, by the name that VS Code gives to tasks of an extension. It needs no tasks.json. */
const listenTask = 'runhook: listen';

/**
 * A launch configuration that starts the listener, and then the app with the webhook secret in its environment.
 * @param to where the handler listens
 * @throws UserError if a launch configuration cannot name the file
 */
export function handlerConfiguration(file: HandlerFile, to: URL): LaunchConfiguration {
  if (readsAsVariable(file.path)) {
    throw new UserError(
      t(
        'A launch configuration cannot name {0}: the editor takes "{1}" for a variable. Rename it.',
        plainText(file.path, 200),
        '${',
      ),
    );
  }
  const isPython = runtimeOf(file.path) === 'python';
  const env = {
    [readSecretVariable(file.text)]: '${command:runhook.webhookSecret}',
    ...(to.port !== '' && { PORT: to.port }),
  };
  return {
    name: handlerConfigurationName,
    type: isPython ? 'debugpy' : 'node',
    request: 'launch',
    ...(isPython ? pythonProgram(file, to) : nodeProgram(file)),
    preLaunchTask: listenTask,
    env,
  };
}

/** A first guess of the address where the handler listens. */
export function guessedAddress(text: string): string {
  const [, port = '3000'] = /\blisten\(\s*(\d{2,5})\b/.exec(text) ?? [];
  const [, path = ''] = /\.post\(\s*["'](\/[\w/-]*)["']/.exec(text) ?? [];
  return `localhost:${port}${path}`;
}

function nodeProgram({ path, hasTsx }: HandlerFile): object {
  return {
    program: inFolder(path),
    ...(/ts$/i.test(path) && hasTsx && { runtimeArgs: ['--import', 'tsx'] }),
    skipFiles: ['<node_internals>/**'],
  };
}

/** Flask and FastAPI have a program that serves the app if the file does not do so itself. */
function pythonProgram({ path, text }: HandlerFile, { port }: URL): object {
  const [, name = '', framework] = /^(\w+)\s*(?::[^=\n]+)?=\s*(?:\w+\.)?(Flask|FastAPI)\(/m.exec(text) ?? [];
  const atPort = port === '' ? [] : ['--port', port];
  if (framework === undefined || /^if __name__\s*==/m.test(text)) return { program: inFolder(path) };
  if (framework === 'Flask') {
    const args = ['--app', inFolder(path), 'run', '--no-debugger', '--no-reload', ...atPort];
    return { module: 'flask', args };
  }
  const [, folder = '', module = ''] = /^(?:(.*)\/)?([^/]*)\.py$/i.exec(path) ?? [];
  return { module: 'uvicorn', args: [`${module}:${name}`, '--app-dir', inFolder(folder), ...atPort] };
}

function inFolder(path: string): string {
  return ['${workspaceFolder}', path].filter((part) => part !== '').join('/');
}
