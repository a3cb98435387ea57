import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../../shared/async/clock.ts';
import { applyFaults, faultsOf } from '../faults.ts';
import { UpstreamError, passUpgrade, refuseUpgrade } from './localApp.ts';
import openApi from '../management/openapi.json' with { type: 'json' };
import type { SeededAccount } from '../management/accounts.ts';
import { settingsIn } from '../requestBody.ts';
import { Refusal, sendJson, sendRefusal } from '../refusal.ts';
import { isPublic, methods, operationOf } from '../operation.ts';
import { RunProxy } from './runProxy.ts';
import type { ServiceState } from '../serviceState.ts';
import { hasWebhook, targetForApp } from '../webhook/webhookParameters.ts';
import type { WebhookSender } from '../webhook/webhookSender.ts';

/** Handles every call: refuses what the service would refuse, and passes the rest to its operation. */
export function callHandler(
  state: ServiceState,
  sender: WebhookSender,
  { clock, log }: { clock: Clock; log: (line: string) => void },
) {
  const proxy = new RunProxy(sender, clock);

  /** @throws Refusal 401 */
  const authenticate = ({ headers }: IncomingMessage): void =>
    state.tokens.check(headers.authorization, clock.now());

  /** A token is valid only for its own project. @throws Refusal 403 */
  const authorize = ({ projectId }: { projectId: string }): void => {
    if (projectId === state.projectId) return;
    throw new Refusal(403, `The token is not one of the project "${projectId}".`);
  };

  const account = ({ serviceAccountId }: { serviceAccountId: string }): SeededAccount =>
    found(state.account(serviceAccountId), 'service account', serviceAccountId);

  const refusalOf = (error: unknown, what: string): Refusal => {
    if (error instanceof Refusal) return error;
    if (error instanceof UpstreamError) return new Refusal(502, error.message);
    log(`${what} failed: ${String(error)}`);
    return new Refusal(500, 'The sandbox failed.');
  };

  const dispatch = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '';
    if (!isPublic(target)) authenticate(request);
    const route = operationOf(target);
    const method = methods[route.kind];
    if (method !== undefined && request.method !== method) {
      throw new Refusal(405, `Use ${method}.`, { Allow: method });
    }
    if (route.kind === 'openApi') {
      sendJson(response, 200, openApi);
      return;
    }
    if (route.kind === 'attempts') {
      sendJson(response, 200, { attempts: state.attempts.list(route.runId) });
      return;
    }
    if (route.kind === 'newToken') {
      sendJson(response, 200, state.newToken(account(route), clock.now()));
      return;
    }
    const faults = faultsOf(request, state.faults);
    await applyFaults(faults, route.kind === 'run' && hasWebhook(route.query), response, clock);
    authorize(route);
    switch (route.kind) {
      // The interface document does not show the shape of the two responses below (sections 4.1 and 4.2).
      case 'keys':
        sendJson(response, 200, { keys: account(route).keys });
        return;
      case 'app': {
        const app = found(state.app(route.appId), 'app', route.appId);
        sendJson(response, 200, state.modify(app, await settingsIn(request)));
        return;
      }
      case 'run': {
        const app = found(state.appNamed(route.appName), 'app', route.appName);
        await proxy.run({ request, response, app, ...route, faults });
      }
    }
  };

  return {
    /** Never rejects: any failure becomes the response. */
    async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        await dispatch(request, response);
      } catch (error) {
        if (response.destroyed) return;
        const refusal = refusalOf(error, `A ${request.method ?? ''}`);
        if (response.headersSent) response.destroy();
        else sendRefusal(response, refusal);
      }
    },

    /** Handles a call that asks for a websocket. Never rejects either. */
    async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
      socket.on('error', () => socket.destroy());
      try {
        authenticate(request);
        const route = operationOf(request.url ?? '');
        if (route.kind !== 'run') throw new Refusal(400, 'Only an app takes a websocket connection.');
        authorize(route);
        const { name, runs } = found(state.appNamed(route.appName), 'app', route.appName);
        if (runs.kind === 'builtIn') throw new Refusal(501, `The app ${name} takes no websocket connection.`);
        await passUpgrade(runs.url, request, targetForApp(route), socket, head);
      } catch (error) {
        refuseUpgrade(socket, refusalOf(error, 'An upgrade'));
      }
    },
  };
}

/** @throws Refusal 404 if `thing` is undefined. @param called the id or name that was looked up */
function found<Thing>(thing: Thing | undefined, what: string, called: string): Thing {
  if (thing === undefined) throw new Refusal(404, `There is no ${what} "${called}".`);
  return thing;
}
