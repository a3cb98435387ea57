import { systemClock } from '../../shared/async/clock.ts';
import { forwardUrl } from '../../deliveries/routes/routes.ts';
import { endToEndHeaders, headerPairs } from '../../shared/http/endToEndHeaders.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import type { SandboxFault } from '../../service/sandbox/sandboxFault.ts';
import { durationText } from '../../shared/text/durationText.ts';
import { sentences } from '../../shared/text/sentences.ts';
import { UserError } from '../../shared/text/userError.ts';
import {
  postWebhook,
  signatureHeader,
  signingTime,
  spoiledBody,
} from '../../service/sandbox/webhook/postWebhook.ts';
import type { Fixture } from '../../suite/fixture/fixture.ts';
import { givenText } from '../../suite/fixture/givenBytes.ts';
import { largestFile, readFixture } from '../../suite/fixture/readFixture.ts';
import { httpsAgent } from '../../deliveries/localTls.ts';
import { resign } from '../../deliveries/replay.ts';
import { signatureName, signedName } from '../../service/signature/signature.ts';
import { failed } from '../failed.ts';
import { UsageError, readAddress, readArguments, readNamed } from '../options/readArguments.ts';
import { certificateOptions, readFault, readSecret, secretOptions } from '../options/sharedOptions.ts';
import { printLine } from '../print.ts';

/** How long an answer may take, in milliseconds. */
const timeoutMs = 30_000;

/** `runhook send`: sends a saved delivery. Fails if the handler refuses it. */
export async function sendCommand(args: readonly string[]): Promise<number> {
  const options = {
    to: { type: 'string' },
    fault: { type: 'string' },
    ...certificateOptions,
    ...secretOptions,
  } as const;
  const { values, positionals } = readArguments(args, options, ['fixture']);
  const secret = readSecret(values);
  const faults = readFault(values.fault, secret !== undefined);
  if (values.to === undefined) throw new UsageError('The option --to is missing.');
  const to = readAddress(values.to, 'to');
  const [path = ''] = positionals;
  const fixture = readNamed('fixture', path, () => readFixture(givenText(path, largestFile), path));
  const { method } = fixture;
  const endpoint = forwardUrl(to.href, fixture.path);
  const place = `${endpoint.origin}${endpoint.pathname}`;
  const headers = sentHeaders(fixture, secret, faults, systemClock.now());
  const accepts = values['accept-local-certificates'] === true && isLoopback(endpoint.hostname);
  const certificates = { agent: httpsAgent(), rejectUnauthorized: !accepts };
  const connection = endpoint.protocol === 'https:' ? certificates : {};
  for (let times = faults.has('repeat') ? 2 : 1; times > 0; times -= 1) {
    const signal = AbortSignal.timeout(timeoutMs);
    const spoiled = spoiledBody(fixture.bytes, faults, systemClock, signal);
    const started = performance.now();
    const status = await postWebhook({ endpoint, method, headers, connection, ...spoiled }, signal).catch(
      (error: unknown) => {
        throw signal.aborted
          ? new UserError(`${place} did not respond within ${durationText(timeoutMs)}.`)
          : failed(`${place} did not respond`, error);
      },
    );
    const answer = `${status} in ${durationText(performance.now() - started)}`;
    if (!isSuccess(status)) {
      const next =
        secret === undefined
          ? 'It was sent without a signature: give --secret-env or --secret-file.'
          : '"runhook test" says why.';
      // A handler does right not to accept what is spoiled.
      throw new UserError(sentences(`${place} did not accept it: ${answer}.`, faults.size === 0 ? next : ''));
    }
    printLine(answer);
  }
  return 0;
}

/**
 * The headers of a fixture as they are sent.
 * @param secret signs it anew; undefined sends it as it was saved
 * @param now Unix milliseconds
 */
function sentHeaders(
  { headers, bytes }: Fixture,
  secret: string | undefined,
  faults: ReadonlySet<SandboxFault>,
  now: number,
): Record<string, string> {
  const kept = endToEndHeaders(Object.entries(headers).flat(), ['host', 'content-length']);
  if (secret === undefined) return Object.fromEntries(headerPairs(kept));
  const signed = resign(kept, bytes, secret, signingTime(now, faults) * 1000);
  return Object.fromEntries(
    headerPairs(signed).flatMap(([name, value]) => {
      if (signatureName.test(name.toLowerCase()))
        return [[name, signatureHeader(value.replace('v1,', ''), faults)]];
      return faults.has('missing-header') && signedName.test(name) ? [] : [[name, value]];
    }),
  );
}
