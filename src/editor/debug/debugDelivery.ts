import * as vscode from 'vscode';
import type { Delivery } from '../../contract/delivery.ts';
import { outlookText, signsAnew } from '../../deliveries/replayOutlook.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { pickDelivery, tellSent } from '../deliveries/feature.ts';
import type { CommandsOf } from '../kit/commands.ts';
import { handlerSuffixes } from '../kit/handlerConfiguration.ts';
import { cancellableProgress } from '../kit/progress.ts';
import { type Choice, DeclinedError, type Prompts } from '../kit/prompts.ts';
import { requireTrust } from '../kit/requireTrust.ts';
import type { Services } from '../kit/services.ts';
import type { Listener } from '../listener/feature.ts';
import type { DebuggedApp, Launch } from './debuggedApp.ts';
import { handlerLine } from './handlerLine.ts';

/** *Debug This Delivery*: starts the handler under the debugger, sends it the delivery, and waits at the breakpoint. */
export function debugDelivery(
  { listener, prompts, errors }: Services,
  app: () => DebuggedApp,
  debugHandler: CommandsOf<'debug'>['debugHandler'],
): CommandsOf<'debug'>['debugDelivery'] {
  const debug: CommandsOf<'debug'>['debugDelivery'] = async (given = {}, from) => {
    requireTrust(t('This workspace is not trusted, so nothing in it can be debugged. Trust it first.'));
    const delivery = await pickDelivery(listener, prompts, t('Debug This Delivery'), given.id);
    const { id, appName } = delivery;
    const handler = app();
    const launch = await handler.launchOf(appName, given.configuration);
    // Without a launch.json, the file that starts the handler is asked for, and its address.
    if (launch === undefined && !handler.runsHandler) await debugHandler(undefined, from);
    const to = await listener.destinations.allow(addressFor(delivery, listener));
    const breakpoint = await offerBreakpoint(prompts, delivery, to, launch);
    const session = await cancellableProgress(t('Starting your handler'), (signal) =>
      handler.ready(to, signal, launch),
    );
    if (breakpoint !== undefined) await handler.stopsAt(breakpoint);
    // As of now: the signature may have become too old meanwhile.
    const outlook = await listener.sender.outlook(id);
    const resign = signsAnew(outlook);
    const { signal } = new AbortController();
    listener.sender.replay({ id, to, resign }, signal).then(
      (answer) => tellSent(answer, resign ? outlookText(outlook) : undefined),
      (error: unknown) => {
        // Whoever ends the program breaks the delivery off. Its row says so.
        if (handler.runs(launch))
          errors.report(t('Debug This Delivery'), error, async () => debug(given, from));
      },
    );
    return { session };
  };
  return debug;
}

/** Where a delivery goes: its route, else where it was sent last. @throws UserError if neither is there */
function addressFor({ appName, forward }: Delivery, { destinations }: Listener): string {
  const route = destinations.forwardOf(appName);
  if ('to' in route) return route.to;
  if (forward !== undefined) return forward.to;
  throw new UserError(t('The address of your handler is not set.'), { remedies: [{ kind: 'setForwardTo' }] });
}

/** How many files are searched for the handler, and up to which size. */
const mostFiles = 200;
const mostCharacters = 500_000;
const searched = `**/*.{${handlerSuffixes.join(',')}}`;
const foreign = '**/{node_modules,.git,.venv,venv,site-packages,dist,out,build,test,tests,__pycache__}/**';

/** A line to stop at. */
interface Line {
  uri: vscode.Uri;
  /** From 0. */
  line: number;
  why: string;
}

/** Where no breakpoint is set, offers to set one: nothing would stop, and nobody would see why. */
async function offerBreakpoint(
  prompts: Prompts,
  delivery: Delivery,
  to: URL,
  launch: Launch | undefined,
): Promise<vscode.Breakpoint | undefined> {
  if (vscode.debug.breakpoints.some(({ enabled }) => enabled)) return undefined;
  const lines = [...lineOfFailure(delivery), ...(await lineOfRoute(to, launch))];
  if (lines.length === 0) return undefined;
  const choices: Choice<Line | 'none'>[] = lines.map((one) => ({
    label: t('Stop at {0}', `${plainText(vscode.workspace.asRelativePath(one.uri))}:${one.line + 1}`),
    description: one.why,
    value: one,
  }));
  const picked = await prompts.pick<Line | 'none'>(t('No Breakpoint Is Set'), [
    ...choices,
    { label: t('Send without a Breakpoint'), value: 'none' },
  ]);
  if (picked === undefined) throw new DeclinedError(t('Nothing was sent.'));
  if (picked === 'none') return undefined;
  const position = new vscode.Position(picked.line, 0);
  const breakpoint = new vscode.SourceBreakpoint(new vscode.Location(picked.uri, position));
  vscode.debug.addBreakpoints([breakpoint]);
  return breakpoint;
}

function lineOfFailure({ attempts = [] }: Delivery): Line[] {
  const failedAt = attempts.findLast((one) => one.failedAt !== undefined)?.failedAt;
  if (failedAt === undefined || failedAt.oneOf !== undefined) return [];
  const { file, line, message } = failedAt;
  return [{ uri: vscode.Uri.file(file), line: line - 1, why: message }];
}

/** The first line of the handler: in the file that is started, else in the first that has the route. */
async function lineOfRoute(to: URL, launch: Launch | undefined): Promise<Line[]> {
  const why = t('the first line of your handler');
  const program = launch?.program?.replace(/^\$\{workspaceFolder\}/, launch.folder.uri.fsPath);
  const started = program === undefined ? [] : [vscode.Uri.file(program)];
  const found = await vscode.workspace.findFiles(searched, foreign, mostFiles);
  for (const uri of [...started, ...found]) {
    const bytes = await vscode.workspace.fs.readFile(uri).then(
      (read) => read,
      () => new Uint8Array(),
    );
    const line =
      bytes.length > mostCharacters ? undefined : handlerLine(Buffer.from(bytes).toString(), to.pathname);
    if (line !== undefined) return [{ uri, line, why }];
  }
  return [];
}
