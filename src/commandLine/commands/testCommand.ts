import { randomBytes, randomUUID } from 'node:crypto';
import type { FailurePlace } from '../../contract/delivery.ts';
import { placeInBody } from '../../deliveries/failure/failurePlace.ts';
import { workspaceFiles } from '../../deliveries/failure/workspaceFiles.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { usualSecretVariable } from '../../service/signature/webhookSecret.ts';
import { UserError } from '../../shared/text/userError.ts';
import { findFixtures, testsOf } from '../../suite/fixture/foundFixtures.ts';
import { isNamed, runSuite, type SuiteTest, type TestResult } from '../../suite/run/runSuite.ts';
import { needsSecret } from '../../suite/run/variant.ts';
import { failed } from '../failed.ts';
import {
  type SecretValues,
  certificateOptions,
  readSecret,
  secretOptions,
} from '../options/sharedOptions.ts';
import { readAddress, readNamed, readOpenArguments, UsageError } from '../options/readArguments.ts';
import { interruption, printError, printNote, printWithoutWaiting } from '../print.ts';
import { reportToGithub, stopCommands } from '../suite/githubReport.ts';
import { resultPrinter, removeReport, writeReport } from '../suite/report.ts';
import { StartedApp, UnstartedError } from '../suite/startedApp.ts';

/** How long a started app may take to answer, and to end, in milliseconds. */
const [readyMs, killAfterMs] = [60_000, 5000];

const options = {
  to: { type: 'string' },
  start: { type: 'string' },
  ready: { type: 'string' },
  junit: { type: 'string' },
  json: { type: 'boolean' },
  github: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  ...certificateOptions,
  ...secretOptions,
} as const;

/** `runhook test`: sends fixtures to an app, and compares its answers with what they expect. */
export async function testCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOpenArguments(args, options, 'folder or file');
  if (values.to === undefined) throw new UsageError('The option --to is missing.');
  const to = readAddress(values.to, 'to');
  if (values.ready !== undefined && values.start === undefined) {
    throw new UsageError('The option --ready needs --start.');
  }
  if (values.start?.trim() === '') throw new UsageError('The option --start has no value.');
  const ready = values.ready === undefined ? to : readAddress(values.ready, 'ready');
  const { secret, environment } = secretOf(values, values.start !== undefined);
  if (values.junit !== undefined) removeReport(values.junit);
  const tests = chosenTests(positionals, values.only ?? []);
  if (secret === undefined) refuseUnsigned(tests);
  printWithoutWaiting();
  const stopped = values.github ? stopCommands() : undefined;
  const signal = interruption();
  const printer = resultPrinter(
    tests.map(({ fixture }) => fixture),
    values.json ?? false,
  );
  const acceptLocalCertificates = values['accept-local-certificates'] ?? false;
  let app: StartedApp | undefined;
  let isSilent = false;
  let broken: UserError | undefined;
  const results: TestResult[] = [];
  try {
    if (values.start !== undefined) {
      const isAsked = values.ready !== undefined;
      const limits = { readyMs, killAfterMs, clock: systemClock };
      const start = {
        command: values.start,
        environment,
        ready,
        isAsked,
        secret,
        acceptLocalCertificates,
        ...limits,
      };
      app = await StartedApp.start(start, signal);
    }
    const target = {
      to,
      clock: systemClock,
      signal,
      acceptLocalCertificates,
      secret,
    };
    for await (const judged of runSuite(tests, randomUUID(), target)) {
      const since = systemClock.now() - judged.durationMs - 1;
      const failedAt = judged.outcome === 'failed' ? await failurePlaceOf(judged, app, since) : undefined;
      const result: TestResult = { ...judged, ...(failedAt && { failedAt }) };
      printer.print(result);
      // A file that is no fixture is not sent.
      if (result.outcome !== 'broken') isSilent = result.exchanges.at(-1)?.problem?.kind === 'failed';
      // Dropped, since answers may take much memory and are not needed again.
      results.push({ ...result, exchanges: [] });
    }
  } catch (error) {
    if (signal.aborted) broken = new UserError('It was interrupted.');
    else broken = error instanceof UserError ? error : failed('It failed', error);
  }
  const hasFailed = results.some(({ outcome }) => outcome === 'failed');
  if (app !== undefined) await endApp(app, isSilent, hasFailed);
  printer.end(results, tests.length - results.length);
  if (values.junit !== undefined) writeReport(values.junit, results, broken);
  if (stopped !== undefined) {
    reportToGithub(results, { notRun: tests.length - results.length, junit: values.junit, stopped });
  }
  if (broken instanceof UnstartedError) return unstarted(broken);
  if (broken !== undefined) throw broken;
  const hasPassed = results.length === tests.length && results.every(({ outcome }) => outcome === 'passed');
  return hasPassed ? 0 : 1;
}

/** The line of the handler: by what it has written since then, else by the stack in a response. */
async function failurePlaceOf(
  { exchanges }: TestResult,
  app: StartedApp | undefined,
  since: number,
): Promise<FailurePlace | undefined> {
  const workspace = await workspaceFiles([process.cwd()]);
  const written = await app?.failedAt(since, workspace);
  if (written !== undefined) return written;
  for (const { answer } of exchanges.toReversed()) {
    if (answer === undefined || isSuccess(answer.status)) continue;
    const place = await placeInBody(answer.body, workspace);
    if (place !== undefined) return place;
  }
  return undefined;
}

/**
 * The secret, and the environment of a started app. If the variable has no secret, one is made for the run and passed
 * to the app.
 */
function secretOf(
  values: SecretValues,
  isStarted: boolean,
): { secret: string | undefined; environment: NodeJS.ProcessEnv } {
  const { 'secret-env': named, 'secret-file': file } = values;
  const name = named ?? usualSecretVariable;
  // CI services set an empty variable if they have no secret.
  const isHeld = isStarted ? Boolean(process.env[name]) : process.env[name] !== undefined;
  if (file !== undefined || isHeld || (named !== undefined && !isStarted)) {
    const from = file === undefined ? { 'secret-env': name } : values;
    return { secret: readSecret({ ...values, ...from }), environment: process.env };
  }
  if (!isStarted) return { secret: undefined, environment: process.env };
  const secret = randomBytes(32).toString('base64url');
  return { secret, environment: { ...process.env, [name]: secret } };
}

/** @throws UsageError if there is none */
function chosenTests(paths: readonly string[], only: readonly string[]): SuiteTest[] {
  const tests = paths.flatMap((path, index) => {
    const what = paths.length === 1 ? 'folder or file' : `folder or file ${index + 1}`;
    const { files, leftOut } = readNamed(what, path, () => findFixtures(path));
    for (const one of leftOut)
      printError(`${one} was left out: it leads outside the folder, is nested too deep, or cannot be read.`);
    return files.flatMap((file) => testsOf(file));
  });
  if (tests.length === 0) throw new UsageError(`Found no *.delivery.json in ${paths.join(', ')}.`);
  if (only.length === 0) return tests;
  // One that is missing would never be sent, and nobody would see it.
  const isMissing = only.some((name) => !tests.some((test) => isNamed(test, [name])));
  if (isMissing) {
    const name = only.length === 1 ? 'the name' : 'one of the names';
    throw new UsageError(`No fixture or variant has ${name} given by --only.`);
  }
  return tests.filter((test) => isNamed(test, only));
}

function refuseUnsigned(tests: readonly SuiteTest[]): void {
  const [unsigned] = tests.flatMap(({ read }) =>
    'variant' in read && needsSecret(read.variant) ? [read.variant.name] : [],
  );
  if (unsigned === undefined) return;
  throw new UsageError(
    `The variant ${unsigned} needs the secret that signs deliveries: set WEBHOOK_SECRET, or give --secret-env or --secret-file.`,
  );
}

function unstarted({ message, lines }: UnstartedError): number {
  printError(message);
  printLastLines(lines);
  return 1;
}

/**
 * Ends the app. Prints its last lines if a test failed or it had ended by itself: they may tell why.
 * @param isSilent whether the last request got no answer: the app may have ended by itself
 */
async function endApp(app: StartedApp, isSilent: boolean, hasFailed: boolean): Promise<void> {
  const gone = await app.gone(isSilent ? killAfterMs : 0);
  await app.end();
  if (gone !== undefined) printError(gone);
  if (gone !== undefined || hasFailed) printLastLines(app.lastLines);
}

function printLastLines(lines: readonly string[]): void {
  if (lines.length > 0) printError('Last output of the handler:');
  for (const line of lines) printNote(`  ${line}`);
}
