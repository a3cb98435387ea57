import type { IncomingMessage } from 'node:http';
import { type AppSettings, problemsText, validate } from '../../model/settings/appSettings.ts';
import { readBody } from '../runProxy/readBody.ts';
import { Refusal } from '../refusal.ts';

/** The body of PATCH …/apps/{id} (service-interface.md, section 4.2). @throws Refusal 400, 413, 415 or 422 */
export async function readSettings(request: IncomingMessage): Promise<AppSettings> {
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
