import type { IncomingMessage } from 'node:http';
import { Refusal } from '../refusal.ts';
import type { SandboxState } from '../sandboxState.ts';

/** What an answer 401 says besides: the scheme to use. */
export const bearer = { 'WWW-Authenticate': 'Bearer' };

/** Every call carries `Authorization: Bearer <token>` (service-interface.md, section 5). @throws Refusal 401 */
export function authenticate(request: IncomingMessage, state: SandboxState, now: number): void {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const worth = token === undefined ? 'missing' : state.worth(token, now);
  if (worth !== 'good') throw new Refusal(401, reasons[worth], bearer);
}

const reasons = {
  missing: 'The call carries no bearer token.',
  unknown: 'The bearer token is not valid.',
  expired: 'The bearer token has expired.',
  revoked: 'The bearer token was revoked.',
};

/** A token is good for its own project alone. @throws Refusal 403 */
export function authorize(state: SandboxState, projectId: string): void {
  if (projectId !== state.projectId) {
    throw new Refusal(403, `The token is not one of the project "${projectId}".`);
  }
}
