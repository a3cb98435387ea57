import * as vscode from 'vscode';
import type { Transport } from '../../service/client/transport.ts';
import type { NetworkOptions, UndiciTransport } from '../../service/client/undiciTransport.ts';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import { settingIds } from './ids.ts';
import { config, onConfigChange } from './config.ts';
import type { Log } from './log.ts';

/**
 * The transport for all requests to the service. It follows the editor's `http.*` settings and
 * `runhook.http.*` as they change, and changes nothing that other extensions share.
 * @param load loads the code that sends requests
 */
export function createTransport(log: Log, load = undici): Transport & { dispose(): void } {
  const viaUndici = loadOnce(load);
  const forget = () => {
    viaUndici
      .forget()
      ?.then((one) => one.close())
      .catch((error: unknown) => log.warn(String(error)));
  };
  const changes = vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('http')) forget();
    }),
    onConfigChange([settingIds.httpTransport], forget),
  );
  const send: Transport = async (request) => {
    const started = Date.now();
    const by = config.httpTransport() === 'editor' ? await viaEditor() : (await viaUndici()).send;
    const { origin, pathname } = request.url;
    try {
      const response = await by({ timeoutMs: config.httpTimeoutSeconds() * 1000, ...request });
      log.debug(`${request.method} ${origin}${pathname} ${response.status} ${Date.now() - started} ms`);
      return response;
    } catch (error) {
      log.debug(`${request.method} ${origin}${pathname} failed: ${String(error)}`);
      throw error;
    }
  };
  return Object.assign(send, {
    dispose() {
      changes.dispose();
      forget();
    },
  });
}

/** The `User-Agent` of every request: Runhook and its version. */
export function userAgent(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { version: string };
  return `Runhook/${version}`;
}

/** Loaded on the first request: activation sends none. */
async function viaEditor(): Promise<Transport> {
  const { createFetchTransport } = await import('../../service/client/fetchTransport.ts');
  return createFetchTransport(async (...call) => globalThis.fetch(...call));
}

async function undici(): Promise<UndiciTransport> {
  const { createUndiciTransport } = await import('../../service/client/undiciTransport.ts');
  return createUndiciTransport(networkOptions());
}

/** VS Code's own settings: https://code.visualstudio.com/docs/setup/network */
export function networkOptions(): NetworkOptions {
  const http = vscode.workspace.getConfiguration('http');
  const proxy = http.get<string>('proxy', '');
  const noProxy = http.get<string[]>('noProxy', []);
  const proxyAuthorization = http.get<string | null>('proxyAuthorization', null);
  return {
    proxySupport: http.get<string>('proxySupport', 'override') === 'off' ? 'off' : 'on',
    strictSsl: http.get<boolean>('proxyStrictSSL', true),
    systemCertificates: http.get<boolean>('systemCertificates', true),
    ...(proxy !== '' && { proxy }),
    ...(noProxy.length > 0 && { noProxy }),
    ...(proxyAuthorization !== null && { proxyAuthorization }),
  };
}
