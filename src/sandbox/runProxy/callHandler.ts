import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../model/processes/clock.ts';
import type { SandboxFault } from '../../model/service/sandboxFault.ts';
import type { AttemptLog } from '../webhook/attemptLog.ts';
import { authenticate, authorize } from '../management/authorize.ts';
import { applyFaults, faultsOf } from '../faults.ts';
import { UpstreamError } from './localApp.ts';
import { accountOf, appOf, listKeys, modifyApp } from '../management/managementApi.ts';
import { openApi } from '../management/openApi.ts';
import { Refusal, sendJson, sendRefusal } from '../refusal.ts';
import { isPublic, methods, type Route, routeOf } from '../route.ts';
import type { RunProxy } from './runProxy.ts';
import type { App, SandboxState } from '../sandboxState.ts';
import { passUpgrade, refuseUpgrade } from './upgrade.ts';
import { hasWebhook, targetForApp } from '../webhook/webhookParameters.ts';

export interface CallHandlerOptions {
  state: SandboxState;
  proxy: RunProxy;
  attempts: AttemptLog;
  clock: Clock;
  log: (line: string) => void;
  /** The settings of an app were modified. */
  onModified: () => void;
}

/** Takes every call: refuses what the service refuses, and hands the rest on to its operation. */
export class CallHandler {
  readonly #options: CallHandlerOptions;
  /** What befalls every call that does not ask for other faults itself. */
  faults: ReadonlySet<SandboxFault> = new Set();

  constructor(options: CallHandlerOptions) {
    this.#options = options;
  }

  /** Never rejects: whatever goes wrong is the answer. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#dispatch(request, response);
    } catch (error) {
      if (response.destroyed) return;
      const refusal = this.#refusalOf(error, `A ${request.method ?? ''}`);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, refusal);
    }
  }

  /** A call that asks for a websocket. Never rejects either. */
  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const { state, clock } = this.#options;
    try {
      authenticate(request, state, clock.now());
      const route = routeOf(request.url ?? '');
      if (route.kind !== 'run') throw new Refusal(400, 'Only an app takes a websocket connection.');
      authorize(state, route.projectId);
      const { name, runs } = this.#appNamed(route);
      if (runs.kind === 'builtIn') throw new Refusal(501, `The app ${name} takes no websocket connection.`);
      await passUpgrade(runs.url, request, targetForApp(route), socket, head);
    } catch (error) {
      refuseUpgrade(socket, this.#refusalOf(error, 'An upgrade'));
    }
  }

  async #dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { state, proxy, attempts, clock, onModified } = this.#options;
    const target = request.url ?? '';
    if (!isPublic(target)) authenticate(request, state, clock.now());
    const route = routeOf(target);
    const method = methods[route.kind];
    if (method !== undefined && request.method !== method) {
      throw new Refusal(405, `Use ${method}.`, { Allow: method });
    }
    if (route.kind === 'openApi') {
      sendJson(response, 200, openApi);
      return;
    }
    if (route.kind === 'newToken') {
      const account = accountOf(state, route.serviceAccountId);
      sendJson(response, 200, state.newToken(account, clock.now()));
      return;
    }
    if (route.kind === 'attempts') {
      sendJson(response, 200, { attempts: attempts.list(route.runId) });
      return;
    }
    const faults = faultsOf(request, this.faults);
    await applyFaults(faults, route.kind === 'run' && hasWebhook(route.query), response, clock);
    authorize(state, route.projectId);
    switch (route.kind) {
      case 'keys':
        listKeys(response, accountOf(state, route.serviceAccountId));
        return;
      case 'app':
        await modifyApp(request, response, appOf(state, route.appId));
        onModified();
        return;
      case 'run':
        await proxy.run({ request, response, app: this.#appNamed(route), ...route, faults });
    }
  }

  #refusalOf(error: unknown, what: string): Refusal {
    if (error instanceof Refusal) return error;
    if (error instanceof UpstreamError) return new Refusal(502, error.message);
    this.#options.log(`${what} failed: ${String(error)}`);
    return new Refusal(500, 'The sandbox failed.');
  }

  #appNamed({ appName }: Route & { kind: 'run' }): App {
    const app = this.#options.state.appNamed(appName);
    if (app === undefined) throw new Refusal(404, `There is no app "${appName}".`);
    return app;
  }
}
