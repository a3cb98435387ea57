import type { Guard } from './guard.ts';

const others = 'editor/otherExtensions.test.ts';

/** Of what another extension may do, and may not. */
export const otherExtensionGuards: readonly Guard[] = [
  {
    guard: 'whoever says that the user has agreed is believed',
    file: 'src/editor/run/runner.ts',
    is: "{ action: t('Run {0}', input.appName), confirmed }",
    without: "{ action: t('Run {0}', input.appName) }",
    tests: { [others]: ['is asked for by Runhook, under prod, unless it says that the user has agreed'] },
  },
  {
    guard: 'an address that a caller gives is asked for, whatever else the caller says',
    file: 'src/editor/listener/destinations.ts',
    is: "if (leave === 'given') return to;",
    without: "if (leave !== 'refused') return to;",
    tests: { [others]: ['has nothing sent to another machine by saying that the user has agreed to it'] },
  },
  {
    guard: 'the webhook secret is copied where it is asked for',
    file: 'src/editor/listener/secrets/secretCommands.ts',
    is: 'await vscode.env.clipboard.writeText(found.secret);',
    without: '',
    tests: { [others]: ['takes the webhook secret by way of the clipboard'] },
  },
];
