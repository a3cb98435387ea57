import { agreementHelp, baseHelp, proxyHelp } from './serviceOptions.ts';
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
      usage: `[--port PORT] [--forward-to URL] [--route APP=URL]… [${secretUsage}] [--tolerance SECONDS] [--relay URL --relay-key-env NAME] [--store DIR] [--json]`,
      does: 'Receives deliveries on this machine, keeps them, and prints a line for each. Ctrl-C ends it.',
      options: [
        ['--port PORT', 'the port; any free port without it'],
        ['--forward-to URL', 'address of your app, to which verified deliveries are forwarded'],
        ['--route APP=URL', 'the same for the deliveries of one app'],
        ...secretHelp,
        ['--tolerance SECONDS', 'how old a timestamp may be: 300 without it, and 0 does not check it'],
        ['--relay URL', 'a relay of your team, whose deliveries are read as well'],
        ['--relay-key-env NAME', 'the environment variable with the key of your address there: 256 bits'],
        [
          '--join-token-env NAME',
          'the environment variable with the token of the team, if the relay asks for it',
        ],
        ...storeHelp,
        ...certificateHelp,
        ['--json', 'first {"listening":{"port","url"}}, then a line of JSON for each delivery'],
      ],
      load: async () => (await import('../commands/listenCommand.ts')).listenCommand,
    },
    deliveries: {
      usage: '[--store DIR] [--json]',
      does: 'Lists the deliveries that are kept, the newest first.',
      options: [...storeHelp, ['--json', 'a line of JSON for each delivery']],
      load: async () => (await import('../commands/deliveriesCommand.ts')).deliveriesCommand,
    },
    send: {
      usage: `FIXTURE --to URL [${secretUsage}] [--fault NAME]`,
      does: 'Sends a delivery that was saved as a fixture. Exits with 1 if it is refused.',
      options: [
        ['FIXTURE', 'a JSON file: {"headers": {…}, "body": "…"}'],
        ['--to URL', 'the webhook handler'],
        ...secretHelp,
        ['', 'with a secret it is signed now; without one it is sent as it was saved'],
        ...certificateHelp,
        ['--fault NAME', `makes it faulty: ${sentFaults.join(', ')}`],
      ],
      load: async () => (await import('../commands/sendCommand.ts')).sendCommand,
    },
    test: {
      usage: `FOLDER|FILE… --to URL [${secretUsage}] [--start COMMAND [--ready URL]] [--only NAME]… [--junit FILE] [--json] [--github]`,
      does: 'Sends fixtures to your app, and compares what it answers with what they expect. Exits with 1 if one fails.',
      options: [
        ['FOLDER|FILE', 'fixtures, or folders with files *.delivery.json'],
        ['--to URL', 'the webhook handler; without a path, each fixture goes to its own'],
        ...secretHelp,
        [
          '',
          'without either, WEBHOOK_SECRET; with --start one is made and handed to the app where that is not set',
        ],
        ['--start COMMAND', 'runs your app through the shell, and ends it with all that it began'],
        ['--ready URL', 'where it answers once it is ready; without it, the port of --to has to be open'],
        ['--only NAME', 'runs the fixture or the variant of that name; can be given several times'],
        ...certificateHelp,
        ['--junit FILE', 'writes the results as JUnit’s XML too'],
        ['--json', 'a line of JSON for each result, and one with the sums'],
        ['--github', 'tells GitHub Actions: annotations, a summary of the job, and outputs'],
      ],
      load: async () => (await import('../commands/testCommand.ts')).testCommand,
    },
    verify: {
      usage: `REQUEST ${secretUsage} [--tolerance SECONDS]`,
      does: 'Explains the signature of a saved request. Exits with 1 if it does not verify.',
      options: [
        [
          'REQUEST',
          'a file: headers, an empty line and the body, byte for byte, also as curl -v prints them,',
        ],
        ['', 'or a fixture, or a HAR'],
        ...secretHelp,
        ['--tolerance SECONDS', 'how old its timestamp may be; without it that is not checked'],
      ],
      load: async () => (await import('../commands/verifyCommand.ts')).verifyCommand,
    },
    keys: {
      usage: '--project P --account A [--within 14d] [--base-url URL] [--json]',
      does: 'Lists the keys of a service account. Exits with 1 if one has expired or soon will.',
      options: [
        ['--project P', 'the id of the project'],
        ['--account A', 'the id of the service account'],
        ['--within 14d', 'how soon is soon, in days'],
        ...baseHelp,
        ['--json', 'a line of JSON for each key, and one with the sums'],
      ],
      load: async () => (await import('../commands/keysCommand.ts')).keysCommand,
    },
    apply: {
      usage: 'FILE [--project P] [--app A] [--base-url URL] [--dry-run] [--yes]',
      does: 'Applies the settings of a file to an app, and nothing that is not in it. Asks first.',
      options: [
        ['FILE', 'a *.runhook.json: {"app": "…", "project": "…", "settings": {…}}'],
        ['--project P', 'the id of the project, where the file names none or another is meant'],
        ['--app A', 'the id of the app, likewise'],
        ...baseHelp,
        ['--dry-run', 'prints the request and sends nothing'],
        ...agreementHelp,
      ],
      load: async () => (await import('../commands/applyCommand.ts')).applyCommand,
    },
    run: {
      usage: '--project P --app A [--body FILE] [--wait | --webhook URL] [--proxy-url URL] [--yes]',
      does: 'Runs an app, and prints its response. Asks first. Exits with 1 if the status is not 2xx.',
      options: [
        ['--project P', 'the id of the project'],
        ['--app A', 'the name of the app'],
        ['--body FILE', 'the JSON that is sent, as it stands; {} without it'],
        ['--path PATH', 'the path after the name of the app; run without it'],
        ['--webhook URL', 'where the service delivers the result'],
        ['--wait', 'listens for the delivery, and exits with 1 unless it comes and verifies'],
        ['--port PORT', 'the port of --wait; any free port without it'],
        ['--public-url URL', 'where the service reaches that port, if it is not on this machine'],
        ['--timeout SECONDS', 'how long all of it may take; 120 without it'],
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
        ['--nats URL', 'nats://HOST:PORT of the engine, or several of a cluster; without it, NATS_URL'],
        ['--host ADDRESS', 'where it listens: 127.0.0.1 without it, 0.0.0.0 in a container'],
        ['--port PORT', 'the port; any free port without it'],
        ['--replicas N', 'how many nodes of the engine keep each delivery: 1 without it'],
        ['--join-token-env NAME', 'the environment variable with the token that opens a channel'],
        ['--public-url URL', 'where the service reaches it; without it, where the reader does'],
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
      does: 'Has agents start runhook mcp in this project, and gives them the skill. Shows what it writes, and asks first.',
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
      does: 'Runs the whole service on this machine, and prints a line of JSON that says where. Ctrl-C ends it.',
      options: [
        ['--port PORT', 'the port; any free port without it'],
        ['--app NAME=URL', 'puts an app of yours behind its proxy'],
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
    'runhook COMMAND --help explains a command, runhook --version prints the version.',
    'Exit codes: 0 when all went well, 1 when something was refused or failed, 2 when the arguments are wrong.',
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
  'kept, {0} sends it again': 'kept',
  'Anyone with the hidden signature could make a request verify, so it is shown only on your screen.':
    'The hidden signature would make a request verify: the editor shows it, on your screen only.',
  '{0}: see Explain Delivery': '{0}: runhook verify looks closer',
  'The deliveries here were kept by a newer version of Runhook. Update Runhook, or reload the window.':
    'The deliveries here were kept by a newer version of Runhook. Update Runhook.',
};
