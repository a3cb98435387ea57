import * as vscode from 'vscode';
import type { Delivery } from '../../contract/delivery.ts';
import { isTaken } from '../../deliveries/forwardText.ts';
import { outlookText, signsAnew } from '../../deliveries/replayOutlook.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { pickDelivery, tellReplayed } from '../deliveries/feature.ts';
import { asChosen, type CommandsOf } from '../kit/commands.ts';
import { cancellableProgress } from '../kit/progress.ts';
import { type Choice, DeclinedError, type Prompts } from '../kit/prompts.ts';
import { requireTrust } from '../kit/requireTrust.ts';
import type { Services } from '../kit/services.ts';
import type { Listener } from '../listener/feature.ts';
import { addBreakpoint, type Line, lineOfRoute, stopText } from './breakpoints.ts';
import type { DebuggedApp, Launch } from './debuggedApp.ts';

/** *Debug This Delivery*: starts the handler under the debugger, sends it the delivery, and waits at the breakpoint. */
export function debugDelivery(
  { listener, prompts, errors }: Services,
  app: () => DebuggedApp,
  startHandler: () => Promise<unknown>,
): CommandsOf<'debug'>['debugDelivery'] {
  const debug: CommandsOf<'debug'>['debugDelivery'] = async (given = {}, from) => {
    requireTrust(t('This workspace is not trusted, so nothing in it can be debugged. Trust it first.'));
    const delivery = await pickDelivery(listener, prompts, t('Debug This Delivery'), given.id);
    const { id, appName } = delivery;
    if (given.id === undefined) return asChosen(async () => debug({ ...given, id }, from));
    const handler = app();
    const launch = await handler.launchOf(appName, given.configuration);
    const known = knownAddress(delivery, listener) ?? handler.address;
    // Without a launch.json, the file that starts the handler is asked for once, and its address where nothing says it.
    const isStarted = launch !== undefined || handler.runsHandler;
    if (!isStarted && known === undefined) await startHandler();
    const to = await listener.destinations.allow(addressFor(delivery, listener, handler));
    if (!isStarted && known !== undefined) {
      const file = await handler.handlerFile();
      await listener.start();
      await cancellableProgress(t('Starting your handler'), (signal) => handler.startFile(file, to, signal));
    }
    const session = await cancellableProgress(t('Starting your handler'), (signal) =>
      handler.ready(to, signal, launch),
    );
    const breakpoint = (await handler.canStop())
      ? undefined
      : await offerBreakpoint(prompts, delivery, to, launch);
    if (breakpoint !== undefined) await handler.stopsAt(breakpoint);
    // As of now: the signature may have become too old meanwhile.
    const outlook = await listener.sender.outlook(id);
    const resign = signsAnew(outlook);
    const { signal } = new AbortController();
    listener.sender.replay({ id, to, resign }, signal).then(
      (answer) => {
        const target = { kind: 'given', to: to.href } as const;
        tellReplayed(prompts, { id }, answer, target, resign ? outlookText(outlook) : undefined);
      },
      async (error: unknown) => {
        // Whoever ends the program breaks the delivery off. Its row says so.
        if (await handler.endsSoon(launch)) return;
        errors.report(t('Debug This Delivery'), error, async () => debug(given, from));
      },
    );
    return { session };
  };
  return debug;
}

/** Where a delivery goes: its route, else where it was sent last. */
function knownAddress({ appName, forward }: Delivery, { destinations }: Listener): string | undefined {
  const route = destinations.forwardOf(appName);
  return 'to' in route ? route.to : forward?.to;
}

/** Where a delivery goes; else where the handler runs. @throws UserError if neither is known */
function addressFor(delivery: Delivery, listener: Listener, { address }: DebuggedApp): string {
  const known = knownAddress(delivery, listener) ?? address;
  if (known !== undefined) return known;
  throw new UserError(t('The address of your handler is not set.'), { remedies: [{ kind: 'setForwardTo' }] });
}

/** A line to stop at, and why there. */
type FoundLine = Line & { why: string };

/** Where your handler has no breakpoint, offers to set one: nothing would stop, and nobody would see why. */
async function offerBreakpoint(
  prompts: Prompts,
  delivery: Delivery,
  to: URL,
  launch: Launch | undefined,
): Promise<vscode.Breakpoint | undefined> {
  const program = launch?.program?.replace(/^\$\{workspaceFolder\}/, launch.folder.uri.fsPath);
  const first = await lineOfRoute(to, program === undefined ? undefined : vscode.Uri.file(program));
  const [failed] = lineOfFailure(delivery);
  const isFailed = first?.uri.fsPath === failed?.uri.fsPath && first?.line === failed?.line;
  const lines = [
    ...(failed === undefined ? [] : [failed]),
    ...(first === undefined || isFailed ? [] : [{ ...first, why: t('the first line of your handler') }]),
  ];
  if (lines.length === 0) return undefined;
  const choices: Choice<FoundLine | 'none'>[] = lines.map((one) => ({
    label: stopText(one),
    description: one.why,
    value: one,
  }));
  const picked = await prompts.pick<FoundLine | 'none'>(t('No Breakpoint Is Set in Your Handler'), [
    ...choices,
    { label: t('Send without a Breakpoint'), value: 'none' },
  ]);
  if (picked === undefined) throw new DeclinedError(t('Nothing was sent.'));
  if (picked === 'none') return undefined;
  return addBreakpoint(picked);
}

/** Where the handler last failed with a delivery; none where it has accepted it since. */
export function lineOfFailure({ attempts = [] }: Delivery): FoundLine[] {
  const last = attempts.findLast((one) => one.failedAt !== undefined || isTaken(one));
  const failedAt = last?.failedAt;
  if (failedAt === undefined || failedAt.oneOf !== undefined) return [];
  const { file, line, message } = failedAt;
  return [{ uri: vscode.Uri.file(file), line: line - 1, why: message }];
}
