import { readFileSync } from 'node:fs';
import { thorough } from '../../webhooks/diagnosis/causeSearch.ts';
import { explain } from '../../webhooks/explanation/explanation.ts';
import { type PastedRequest, readPastedRequest } from '../../webhooks/explanation/pastedRequest.ts';
import { verify } from '../../webhooks/signature/signature.ts';
import { printText } from '../print.ts';
import { readArguments, readNamed, UsageError } from '../options/readArguments.ts';
import { readSecret, secretOptions, secretUsage } from '../options/secretOption.ts';

/** How long the cause is searched for, in milliseconds. */
const searchMs = 2000;
/** 0 does not check the timestamp: a saved request was sent a while ago. */
const toleranceSeconds = 0;

/** `runhook verify`: explains the signature of a saved request. Fails if the signature is not right. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, secretOptions, ['request file']);
  const secret = readSecret(values);
  if (secret === undefined) throw new UsageError(`The secret is missing: ${secretUsage}.`);
  const { headers, body } = requestIn(positionals[0] ?? '');
  const bytes = Buffer.from(body, 'latin1');
  const clock = Date.now() / 1000;
  const until = performance.now() + searchMs;
  const { text } = explain({
    headers,
    body: bytes,
    secrets: [{ secret, owner: { kind: 'default' } }],
    clock,
    toleranceSeconds,
    effort: thorough(() => performance.now() < until),
  });
  printText(text);
  const { verdict } = verify(headers, bytes, [secret], clock, toleranceSeconds);
  return Promise.resolve(verdict === 'verified' ? 0 : 1);
}

/** Reads the request in a file, with one character per byte, since its bytes are what was signed. */
function requestIn(path: string): PastedRequest {
  const text = readNamed('request', () => readFileSync(path, 'latin1'));
  const request = readPastedRequest(text.replace(/^\u00ef\u00bb\u00bf/, ''));
  if (request === undefined) {
    throw new UsageError('The file holds no request: it takes headers, an empty line and the body.');
  }
  return request;
}
