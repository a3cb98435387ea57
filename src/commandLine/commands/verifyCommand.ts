import { UserError } from '../../model/text/userError.ts';
import { givenBytes } from '../../suite/files/givenBytes.ts';
import { thorough } from '../../webhooks/diagnosis/causeSearch.ts';
import { explain } from '../../webhooks/explanation/explanation.ts';
import { verify } from '../../webhooks/signature/signature.ts';
import { type SavedRequest, savedRequest } from '../deliveries/savedRequest.ts';
import { printText } from '../print.ts';
import { readArguments, readNamed, readTolerance, UsageError } from '../options/readArguments.ts';
import { readSecret, secretOptions, secretUsage } from '../options/secretOption.ts';

/** How long the cause is searched for, in milliseconds. */
const searchMs = 2000;
/** The largest file, in bytes: the largest body that a listener takes, as a HAR may escape it. */
const largestRequest = 128 * 1024 * 1024;

/** `runhook verify`: explains the signature of a saved request. Fails if the signature is not right. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const options = { tolerance: { type: 'string' }, ...secretOptions } as const;
  const { values, positionals } = readArguments(args, options, ['request file']);
  const secret = readSecret(values);
  if (secret === undefined) throw new UsageError(`The secret is missing: ${secretUsage}.`);
  // Without the option the timestamp is not checked: a saved request was sent a while ago.
  const toleranceSeconds = readTolerance(values.tolerance) ?? 0;
  const { headers, body } = requestIn(positionals[0] ?? '');
  const clock = Date.now() / 1000;
  const until = performance.now() + searchMs;
  const { text } = explain({
    headers,
    body,
    secrets: [{ secret, owner: { kind: 'default' } }],
    clock,
    toleranceSeconds,
    effort: thorough(() => performance.now() < until),
  });
  printText(text);
  const { verdict } = verify(headers, body, [secret], clock, toleranceSeconds);
  return Promise.resolve(verdict === 'verified' ? 0 : 1);
}

function requestIn(path: string): SavedRequest {
  const bytes = readNamed('request', () => givenBytes(path, largestRequest));
  try {
    return savedRequest(bytes, path);
  } catch (error) {
    if (error instanceof UserError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
