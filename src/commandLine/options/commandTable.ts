import { agreementHelp, baseHelp, proxyHelp } from './serviceHelp.ts';
import { certificateHelp, secretHelp, secretUsage, sentFaults, storeHelp } from './sharedOptions.ts';

/** Runs a command. @returns the exit code. @throws UsageError for 2, UserError for 1 */
type RunCommand = (args: readonly string[]) => Promise<number>;

export interface ProgramCommand {
  /** The arguments after the name of the command. */
  usage: string;
  does: string;
  /** The options and what they mean. */
  options: readonly (readonly [option: string, meaning: string])[];
  load: () => Promise<RunCommand>;
}

export const programCommands: ReadonlyMap<string, ProgramCommand> = new Map(
  Object.entries<ProgramCommand>({
    listen: {
      usage: `[--port PORT] [--forward-to URL] [--route APP=URL]… [${secretUsage}] [--tolerance SECONDS] [--relay URL --relay-key-env NAME] [--store DIR] [--json] [OPTIONS]`,
      does: 'Receives deliveries on this machine, keeps them, and prints a line for each. Ctrl-C ends it.',
      options: [
        ['--port PORT', 'the port (default: any free port)'],
        ['--forward-to URL', 'address of your handler, to which verified deliveries are forwarded'],
        [
          '--route APP=URL',
          'the same for one app, where the address given to its runs ends with /runhook/APP',
        ],
        ...secretHelp,
        ['--tolerance SECONDS', 'how old a timestamp may be (default: 300; 0: not checked)'],
        ['--relay URL', 'a relay of your team, whose deliveries are read as well'],
        ['--relay-key-env NAME', 'the environment variable with the key of your address there: 256 bits'],
        [
          '--join-token-env NAME',
          'the environment variable with the token of the team, if the relay asks for it',
        ],
        ...storeHelp,
        ...certificateHelp,
        ['--json', 'prints {"listening":{"port","url"}}, then a line of JSON for each delivery'],
      ],
      load: async () => (await import('../commands/listenCommand.ts')).listenCommand,
    },
    deliveries: {
      usage: '[--store DIR] [--json]',
      does: 'Lists the deliveries that are kept, newest first.',
      options: [...storeHelp, ['--json', 'prints a line of JSON for each delivery']],
      load: async () => (await import('../commands/deliveriesCommand.ts')).deliveriesCommand,
    },
    send: {
      usage: `FIXTURE --to URL [${secretUsage}] [--fault NAME] [OPTIONS]`,
      does: 'Sends a delivery that was saved as a fixture. Exits with 1 if the handler does not accept it.',
      options: [
        ['FIXTURE', 'a JSON file: {"headers": {…}, "body": "…"}'],
        ['--to URL', 'the address of your handler'],
        ...secretHelp,
        ['', 'with a secret it is signed now; otherwise it is sent as saved'],
        ...certificateHelp,
        ['--fault NAME', `sends it with a fault: ${sentFaults.join(', ')}`],
      ],
      load: async () => (await import('../commands/sendCommand.ts')).sendCommand,
    },
    test: {
      usage: `FOLDER|FILE… --to URL [${secretUsage}] [--start COMMAND [--ready URL]] [--only NAME]… [--junit FILE] [--json] [--github] [OPTIONS]`,
      does: 'Sends fixtures to your handler and compares its responses with what they expect. Exits with 1 if one fails.',
      options: [
        ['FOLDER|FILE', 'fixtures, or folders with files *.delivery.json'],
        ['--to URL', 'your handler; without a path, each fixture goes to its own'],
        ...secretHelp,
        ['', 'without either, WEBHOOK_SECRET; if that is not set, --start gives your handler a new secret'],
        [
          '--start COMMAND',
          'starts your handler through the shell, and stops it with all processes it started',
        ],
        ['--ready URL', 'an address that responds once it is ready (default: the port of --to is open)'],
        ['--only NAME', 'runs the fixture or the variant of that name; can be given several times'],
        ...certificateHelp,
        ['--junit FILE', 'also writes the results as JUnit XML'],
        ['--json', 'prints a line of JSON for each result, and one with the totals'],
        ['--github', 'reports to GitHub Actions: annotations, a job summary and outputs'],
      ],
      load: async () => (await import('../commands/testCommand.ts')).testCommand,
    },
    verify: {
      usage: `REQUEST ${secretUsage} [--tolerance SECONDS]`,
      does: 'Explains the signature of a saved request. Exits with 1 if it does not verify.',
      options: [
        [
          'REQUEST',
          'a file with headers, an empty line and the body, byte for byte, also as curl -v prints them,',
        ],
        ['', 'or a HAR'],
        ...secretHelp,
        ['--tolerance SECONDS', 'how old its timestamp may be (default: not checked)'],
      ],
      load: async () => (await import('../commands/verifyCommand.ts')).verifyCommand,
    },
    keys: {
      usage: '--project P --account A [--within DAYS] [--base-url URL] [--json] [OPTIONS]',
      does: 'Lists the keys of a service account. Exits with 1 if one has expired or will soon.',
      options: [
        ['--project P', 'the id of the project'],
        ['--account A', 'the id of the service account'],
        ['--within DAYS', 'how many days count as soon (default: 14d)'],
        ...baseHelp,
        ['--json', 'prints a line of JSON for each key, and one with the totals'],
      ],
      load: async () => (await import('../commands/keysCommand.ts')).keysCommand,
    },
    apply: {
      usage: 'FILE [--project P] [--app A] [--base-url URL] [--dry-run] [--yes] [OPTIONS]',
      does: 'Applies the settings in a file to an app, and nothing else. Asks first.',
      options: [
        ['FILE', 'a *.runhook.json: {"app": "ID", "project": "ID", "settings": {…}}'],
        ['--project P', 'the id of the project, in place of the one in the file'],
        ['--app A', 'the id of the app, in place of the one in the file'],
        ...baseHelp,
        ['--dry-run', 'prints the request and sends nothing'],
        ...agreementHelp,
      ],
      load: async () => (await import('../commands/applyCommand.ts')).applyCommand,
    },
    run: {
      usage: `--project P --app A [--body FILE] [--wait | --webhook URL [${secretUsage}]] [--proxy-url URL] [--yes] [OPTIONS]`,
      does: 'Runs an app and prints its response. Asks first. Exits with 1 if the status is not 2xx.',
      options: [
        ['--project P', 'the id of the project'],
        ['--app A', 'the name of the app'],
        ['--body FILE', 'the JSON to send, as it is (default: {})'],
        ['--path PATH', 'the path after the name of the app (default: run)'],
        ['--webhook URL', 'where the service delivers the response: unsigned without a secret'],
        ...secretHelp,
        ['--wait', 'listens for the delivery, and exits with 1 unless it arrives and verifies'],
        ['--port PORT', 'the port of --wait (default: any free port)'],
        ['--public-url URL', 'where the service reaches that port, if it is not on this machine'],
        ['--timeout SECONDS', 'how long everything may take (default: 120)'],
        ...proxyHelp,
        ...agreementHelp,
      ],
      load: async () => (await import('../commands/runCommand.ts')).runCommand,
    },
    relay: {
      usage:
        '--nats URL[,URL]… [--host ADDRESS] [--port PORT] [--replicas 1|3|5] [--join-token-env NAME] [--public-url URL]',
      does: 'Takes deliveries for a team, on NATS JetStream, and keeps them until they are read. Ctrl-C ends it.',
      options: [
        ['--nats URL', 'nats://HOST:PORT of the engine, or several of a cluster (default: NATS_URL)'],
        ['--host ADDRESS', 'the address to listen on (default: 127.0.0.1); in a container give 0.0.0.0'],
        ['--port PORT', 'the port (default: any free port)'],
        ['--replicas N', 'how many nodes of the engine keep each delivery (default: 1)'],
        ['--join-token-env NAME', 'the environment variable with the token that opens an address'],
        ['--public-url URL', 'where the service reaches it (default: where the reader reaches it)'],
      ],
      load: async () => (await import('../commands/relayCommand.ts')).relayCommand,
    },
    mcp: {
      usage: '[--allow-write]',
      does: 'Serves tools for agents (MCP) over its standard input and output.',
      options: [
        ['--allow-write', 'with the tools that send, change or cost something'],
        ['', 'RUNHOOK_TOKEN, RUNHOOK_BASE_URL and RUNHOOK_PROXY_URL name a service without the editor'],
      ],
      load: async () => (await import('../commands/mcpCommand.ts')).mcpCommand,
    },
    agent: {
      usage: 'setup claude | cursor | vscode | codex [--allow-write] [--status | --remove] [--yes]',
      does: 'Has agents start runhook mcp in this project (Codex: in every project), and gives them the skill. Shows what it writes, and asks first.',
      options: [
        ['--allow-write', 'with the tools that send, change or cost something'],
        ['--status', 'says what is set up, and writes nothing'],
        ['--remove', 'takes it back'],
        ...agreementHelp,
      ],
      load: async () => (await import('../commands/agentCommand.ts')).agentCommand,
    },
    sandbox: {
      usage: '[--port PORT] [--app NAME=URL]…',
      does: 'Runs the whole service on this machine, and prints a line of JSON with its addresses. Stop it with Ctrl-C.',
      options: [
        ['--port PORT', 'the port (default: any free port)'],
        ['--app NAME=URL', 'puts your own app behind its proxy'],
      ],
      load: async () => (await import('../commands/sandboxCommand.ts')).sandboxCommand,
    },
  }),
);

/** What `runhook --help` prints. */
export function helpText(): string {
  const rows = [...programCommands].map(([name, { does }]) => [name, does] as const);
  return [
    'Usage: runhook COMMAND [OPTIONS]',
    '',
    ...columns(rows),
    '',
    'Run runhook COMMAND --help for a command, runhook --version for the version.',
    'Exit codes: 0 on success, 1 on failure, 2 for wrong arguments.',
    '',
  ].join('\n');
}

/** What `runhook <command> --help` prints. */
export function commandHelpText(name: string, command: ProgramCommand): string {
  return [usageLine(name, command), '', command.does, '', ...columns(command.options), ''].join('\n');
}

export function usageLine(name: string, { usage }: ProgramCommand): string {
  return `Usage: runhook ${name} ${usage}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`);
}

/**
 * Texts that differ from the editor's, since the command line has no links, commands and windows. They are in
 * English, since the output goes to logs and is read by programs.
 */
export const commandLineTexts = {
  // A link in the editor's output.
  '(Explain)': '',
  'kept, {0}': 'kept',
  'Anyone with the expected signature could make a request verify, so it is shown only on your screen.':
    'Anyone with the expected signature could make a request verify, so only the editor shows it.',
  '{0}: see Explain Delivery': '{0}: see runhook verify',
  'The deliveries here were kept by a newer version of Runhook. Update Runhook, or reload the window.':
    'The deliveries here were kept by a newer version of Runhook. Update Runhook.',
};
