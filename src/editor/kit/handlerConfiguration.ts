import { commandIds } from '../../contract/commands.ts';
import { usualSecretVariable } from '../../service/signature/webhookSecret.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';

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
interface HandlerFile {
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

/**
 * A launch configuration that starts the app with the webhook secret in its environment.
 * @param to where the handler listens
 * @throws UserError if a launch configuration cannot name the file
 */
export function handlerConfiguration(file: HandlerFile, to: URL): LaunchConfiguration {
  if (readsAsVariable(file.path)) {
    throw new UserError(
      t(
        'A launch configuration cannot name {0}: the editor reads "{1}" as a variable. Rename the file.',
        plainText(file.path, 200),
        '${',
      ),
    );
  }
  const isPython = runtimeOf(file.path) === 'python';
  const env = {
    [readSecretVariable(file.text)]: `\${command:${commandIds.webhookSecret}}`,
    ...(to.port !== '' && { PORT: to.port }),
  };
  return {
    name: handlerConfigurationName,
    type: isPython ? 'debugpy' : 'node',
    request: 'launch',
    ...(isPython ? pythonProgram(file, to) : nodeProgram(file)),
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

/** How a program reads one variable of its environment, in JavaScript, TypeScript and Python. */
const reads = [
  // process.env.X, import.meta.env.X, Bun.env['X'], os.environ["X"]
  /\b(?:env|environ)!?(?:\?\.|\.|(?:\?\.)?\[\s*["'`])([A-Za-z_]\w*)/g,
  // Deno.env.get('X'), os.environ.get("X"), env.str('X'), configService.getOrThrow<string>('X')
  /\b(?:env|environ|config\w*)!?\??\.\w+(?:<[^<>()]*>)?\(\s*(?:key\s*=\s*)?["'`]([A-Za-z_]\w*)["'`]/gi,
  // os.getenv('X'), env('X') of django-environ, config('X') of python-decouple
  /\b(?:getenv|env|config|environ)\(\s*(?:key\s*=\s*)?["'`]([A-Za-z_]\w*)["'`]/g,
];

/** `const { X, Y: y = '' } = process.env`, of any object that is called env. */
const destructured =
  /\{([^{}]*)\}\s*(?::[^=;{}]*)?=\s*(?:await\s+)?(?:[\w$]+(?:\.[\w$]+)*\.)?(?:env|environ)\b(?!\s*[.([])/g;

/** Lines that are comments alone: what they read is not read. */
const commentLine = /^[ \t]*(?:\/\/|#|\*|\/\*).*$/gm;

/** Services that send webhooks with secrets of their own. */
const otherServices = [
  /^(?:ADYEN|ALCHEMY|APPLE|ASANA|ATLASSIAN|AUTH0|AWS|BIGCOMMERCE|BITBUCKET|BRAINTREE|CALCOM)$/,
  /^(?:CALENDLY|CIRCLECI|CLERK|COINBASE|CONTENTFUL|CREEM|DATADOG|DISCORD|DOCUSIGN|DODO|DROPBOX)$/,
  /^(?:ELEVENLABS|FACEBOOK|FIREBASE|FLUTTERWAVE|GITEA|GITHUB|GITLAB|GOCARDLESS|GOOGLE|HELIUS)$/,
  /^(?:HUBSPOT|INNGEST|INSTAGRAM|INTERCOM|JIRA|KLARNA|LEMON|LEMONSQUEEZY|LINE|LINEAR|LIVEKIT)$/,
  /^(?:MAILCHIMP|MAILGUN|MESSENGER|META|MOLLIE|MUX|NETLIFY|NOTION|OKTA|OPENAI|PADDLE|PAGERDUTY)$/,
  /^(?:PAYPAL|PAYSTACK|PERSONA|PLAID|POLAR|POSTMARK|PRISMIC|RAZORPAY|REPLICATE|RESEND|RETELL)$/,
  /^(?:REVENUECAT|SANITY|SENDGRID|SENTRY|SHOPIFY|SLACK|SQUARE|STORYBLOK|STRAPI|STRIPE|SUPABASE)$/,
  /^(?:SVIX|TALLY|TELEGRAM|TRELLO|TWILIO|TWITCH|TWITTER|TYPEFORM|VAPI|VERCEL|VONAGE|WHATSAPP)$/,
  /^(?:WOOCOMMERCE|WORKOS|XERO|ZENDESK|ZOOM)$/,
];

/**
 * The environment variable that a file reads the secret from; else the one of *Insert Verification Code…*. Names that
 * do not clearly mean it are skipped, and those that name another service: the secret would be sent to that.
 */
function readSecretVariable(text: string): string {
  const names = variablesIn(text.replaceAll(commentLine, '')).filter((name) => !isOfAnother(name));
  return (
    names.find((name) => name === usualSecretVariable) ??
    names.find((name) => /hook\w*secret|secret\w*hook|hook\w*signing\w*key/i.test(name)) ??
    names.find((name) => /^(?:signing_?)?secret$/i.test(name)) ??
    usualSecretVariable
  );
}

/** The variables that a file reads, in the order in which they stand there. */
function variablesIn(text: string): string[] {
  const found = reads.flatMap((read) =>
    [...text.matchAll(read)].map(({ index, 1: name = '' }) => ({ index, name })),
  );
  for (const { index, 1: list = '' } of text.matchAll(destructured)) {
    for (const part of list.split(',')) {
      const [, name] = /^\s*["']?([A-Za-z_]\w*)/.exec(part) ?? [];
      if (name !== undefined) found.push({ index, name });
    }
  }
  return found.sort((one, other) => one.index - other.index).map(({ name }) => name);
}

/** Whether one of the words of a name is another service. */
function isOfAnother(name: string): boolean {
  // guard S10: A variable whose name contains another service is not set.
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split('_');
  const pairs = words.map((word, at) => word + (words[at + 1] ?? ''));
  return [...words, ...pairs].some((word) => otherServices.some((services) => services.test(word)));
}

/**
 * Whether the editor takes part of a file's name for a variable where it stands in a task or a launch configuration:
 * `${command:…}` runs a command, and there is no way to write it as a name.
 */
export function readsAsVariable(path: string): boolean {
  // guard S63: A file whose name reads as a variable is refused.
  return path.includes('${');
}
