import * as v from 'valibot';
import { nestsTooDeep } from '../../shared/json/jsonScanner.ts';
import { isJsonObject } from '../../shared/json/jsonObject.ts';
import { isUtf16, textOfFile } from '../../shared/text/textOfFile.ts';
import { UserError } from '../../shared/text/userError.ts';
import { givenBytes } from '../../suite/fixture/givenBytes.ts';
import { readFixture } from '../../suite/fixture/readFixture.ts';
import { thorough } from '../../service/diagnosis/causeSearch.ts';
import { explain } from '../../service/explanation/explanation.ts';
import { readPastedRequest } from '../../service/explanation/pastedRequest.ts';
import { signatureName, verify } from '../../service/signature/signature.ts';
import { UsageError, readArguments, readNamed, readTolerance } from '../options/readArguments.ts';
import { readSecret, secretOptions, secretUsage } from '../options/sharedOptions.ts';
import { printText } from '../print.ts';

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
  const bytes = readNamed('request', path, () => givenBytes(path, largestRequest));
  try {
    return savedRequest(bytes, path);
  } catch (error) {
    if (error instanceof UserError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** A request as it came. */
interface SavedRequest {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The part of a HAR that is read: what was sent, as browsers and proxies save it. */
const har = v.object({
  log: v.object({
    entries: v.array(
      v.object({
        request: v.object({
          headers: v.array(v.object({ name: v.string(), value: v.string() })),
          postData: v.exactOptional(
            v.object({ text: v.optional(v.string(), ''), encoding: v.exactOptional(v.string()) }),
          ),
        }),
      }),
    ),
  }),
});

/**
 * Reads the request in a file: headers, an empty line and the body, what `curl -v` prints, a HAR, or a fixture of those that
 * have a signature: Runhook writes none.
 * @param name the name of the file
 * @throws UserError if it holds none, a HAR holds several with a signature, or a fixture has none
 */
export function savedRequest(bytes: Buffer, name: string): SavedRequest {
  return requestInJson(bytes, name) ?? requestInText(bytes);
}

function requestInJson(bytes: Buffer, name: string): SavedRequest | undefined {
  if (!isUtf16(bytes) && !/^(?:\u00ef\u00bb\u00bf)?\s*\{/.test(bytes.toString('latin1', 0, 1000)))
    return undefined;
  const text = textOfFile(bytes);
  const value = parsed(text);
  if (!isJsonObject(value)) return undefined;
  if ('log' in value) return requestInHar(value);
  if (!('headers' in value)) return undefined;
  const fixture = readFixture(text, name);
  const headers = lowerCase(Object.entries(fixture.headers));
  if (isSigned(headers)) return { headers, body: fixture.bytes };
  throw new UserError(
    'A fixture keeps no signature: it is signed when it is sent. Verify the request as it came: its headers, an empty line and the body.',
  );
}

function requestInHar(value: unknown): SavedRequest {
  const read = v.safeParse(har, value);
  if (!read.success) throw new UserError('The HAR contains no requests.');
  const signed = read.output.log.entries
    .map(({ request: { headers, postData = { text: '' } } }) => ({
      headers: lowerCase(headers.map((one) => [one.name, one.value])),
      body: Buffer.from(postData.text, postData.encoding === 'base64' ? 'base64' : 'utf8'),
    }))
    .filter(({ headers }) => isSigned(headers));
  const [only, ...others] = signed;
  if (only !== undefined && others.length === 0) return only;
  throw new UserError(`The HAR contains ${signed.length} signed requests: leave only one.`);
}

function isSigned(headers: SavedRequest['headers']): boolean {
  return Object.keys(headers).some((one) => signatureName.test(one));
}

/** Read with one character per byte, since its bytes are what was signed. */
function requestInText(bytes: Buffer): SavedRequest {
  const raw = isUtf16(bytes) ? Buffer.from(textOfFile(bytes)) : bytes;
  const request = readPastedRequest(raw.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''));
  if (request !== undefined) return { headers: request.headers, body: Buffer.from(request.body, 'latin1') };
  // Says so where it is a text in another encoding.
  textOfFile(bytes);
  throw new UserError('The file contains no request: it needs headers, an empty line and the body.');
}

function parsed(text: string): unknown {
  if (nestsTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A body that begins with a brace, or UTF-16 that is no JSON.
  }
}

function lowerCase(headers: readonly (readonly [name: string, value: string])[]): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
}
