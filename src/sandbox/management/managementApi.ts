import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemText, validate } from '../../model/settings/appSettings.ts';
import { readBody } from '../runProxy/readBody.ts';
import { Refusal, sendJson } from '../refusal.ts';
import type { App, SandboxState } from '../sandboxState.ts';
import type { ServiceAccount } from './seededAccounts.ts';

/** GET …/keys (service-interface.md, section 4.1). The document does not show the answer's shape. */
export function listKeys(response: ServerResponse, account: ServiceAccount): void {
  sendJson(response, 200, { keys: account.keys });
}

/** PATCH …/apps/{id} (section 4.2). Answers with the settings that are in force then. */
export async function modifyApp(request: IncomingMessage, response: ServerResponse, app: App): Promise<void> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Refusal(415, 'Send the settings as application/json.', { 'Accept-Patch': 'application/json' });
  }
  const checked = validate(parseJson(await readBody(request)));
  if (!checked.ok) {
    const errors = checked.problems.map((problem) => ({
      field: problem.field,
      message: problemText(problem),
    }));
    const message = errors
      .map(({ field, message: what }) => (field === '' ? what : `${field}: ${what}`))
      .join(' ');
    throw new Refusal(422, message, {}, { errors });
  }
  app.settings = { ...app.settings, ...checked.settings };
  sendJson(response, 200, app.settings);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
}

/** @throws Refusal 404 */
export function accountOf(state: SandboxState, id: string): ServiceAccount {
  const account = state.account(id);
  if (account === undefined) throw new Refusal(404, `There is no service account "${id}".`);
  return account;
}

/** @throws Refusal 404 */
export function appOf(state: SandboxState, id: string): App {
  const app = state.app(id);
  if (app === undefined) throw new Refusal(404, `There is no app "${id}".`);
  return app;
}
