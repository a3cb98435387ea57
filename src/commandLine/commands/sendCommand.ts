import { systemClock } from '../../model/processes/clock.ts';
import { forwardUrl } from '../../model/routes/forwardUrl.ts';
import { durationText } from '../../model/text/durationText.ts';
import { UserError } from '../../model/text/userError.ts';
import { postWebhook } from '../../sandbox/webhook/postWebhook.ts';
import { spoiledBody } from '../../sandbox/webhook/webhookFaults.ts';
import { givenText } from '../../suite/files/givenBytes.ts';
import { largestFile, readFixture } from '../../suite/fixture/readFixture.ts';
import { failed } from '../failed.ts';
import { printLine } from '../print.ts';
import { certificateOptions } from '../options/certificateOption.ts';
import { readAddress, readArguments, readNamed, UsageError } from '../options/readArguments.ts';
import { readSecret, secretOptions } from '../options/secretOption.ts';
import { readFault } from '../options/faultOption.ts';
import { sentHeaders } from '../deliveries/sentWebhook.ts';
import { isLoopback } from '../../model/service/loopback.ts';
import { httpsAgent } from '../../webhooks/deliveries/localTls.ts';
import { isSuccess } from '../../model/service/isSuccess.ts';

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
  const fixture = readNamed('fixture', () => readFixture(givenText(path, largestFile), path));
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
          ? new UserError(`${place} gave no answer within ${durationText(timeoutMs)}.`)
          : failed(`${place} gave no answer`, error);
      },
    );
    const answer = `${status} in ${durationText(performance.now() - started)}`;
    if (!isSuccess(status)) throw new UserError(`${place} refused it: ${answer}.`);
    printLine(answer);
  }
  return 0;
}
