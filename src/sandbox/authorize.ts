import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';
import type { SandboxState } from './sandboxState.ts';

/** Every call carries `Authorization: Bearer <token>` (service-interface.md, section 5). @throws Refusal 401 */
export function authenticate(request: IncomingMessage, state: SandboxState, now: number): void {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined || !state.knows(token, now)) {
    const why = token === undefined ? 'The call carries no bearer token.' : 'The bearer token is not valid.';
    throw new Refusal(401, why, { 'WWW-Authenticate': 'Bearer' });
  }
}

/** A token is good for its own project alone. @throws Refusal 403 */
export function authorize(state: SandboxState, projectId: string): void {
  if (projectId !== state.projectId) {
    throw new Refusal(403, `The token is not one of the project "${projectId}".`);
  }
}
