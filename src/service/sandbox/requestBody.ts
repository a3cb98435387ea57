import type { IncomingMessage } from 'node:http';
import { type AppSettings, problemsText, validate } from '../settings/appSettings.ts';
import { Refusal } from './refusal.ts';

const maxBytes = 10 * 1024 * 1024;

/** The whole body of a request. @throws Refusal 413 above 10 MiB; the interface document states no limit */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A body that is too long is read to its end too: many callers look for the answer only then.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  if (bytes > maxBytes) throw new Refusal(413, 'The body is larger than 10 MiB.');
  return Buffer.concat(chunks);
}

/** The body of PATCH …/apps/{id} (service-interface.md, section 4.2). @throws Refusal 400, 413, 415 or 422 */
export async function settingsIn(request: IncomingMessage): Promise<AppSettings> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Refusal(415, 'Send the settings as application/json.', { 'Accept-Patch': 'application/json' });
  }
  const checked = validate(parseJson(await readBody(request)));
  if (checked.ok) return checked.settings;
  const errors = checked.problems.map(({ field, text }) => ({ field, message: text }));
  throw new Refusal(422, problemsText(checked.problems), {}, { errors });
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
}
