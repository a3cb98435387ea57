import type { SandboxFault } from './sandboxFault.ts';

/** Where a running sandbox is and what is in it. The program prints it; the worker reports it. */
export interface SandboxAddress {
  /** Of the management API (service-interface.md, section 1). */
  baseUrl: string;
  /** Of the run proxy. */
  proxyUrl: string;
  projectId: string;
  serviceAccountId: string;
  /** The service account's token, made anew at each start. */
  token: string;
  apps: SandboxApp[];
}

export interface SandboxApp {
  /** For the PATCH. */
  id: string;
  /** For the run path. */
  name: string;
}

/** Apps of the user's own: their name and their local address. */
export type LocalApps = Readonly<Record<string, string>>;

/** What the worker is started with. */
export interface SandboxWorkerData {
  /** 0 for any free port. */
  port: number;
  apps: LocalApps;
}

/** From the editor to the worker. */
export type ToSandbox =
  | { kind: 'setApps'; apps: LocalApps }
  | { kind: 'setFaults'; faults: SandboxFault[] }
  /** Back to the seeded state, without faults. */
  | { kind: 'reset' };

/** From the worker to the editor. */
export type FromSandbox =
  | { kind: 'started'; address: SandboxAddress }
  /** The end of the worker: it could not start. */
  | { kind: 'failed'; reason: string }
  | { kind: 'appsChanged'; apps: SandboxApp[] }
  /** What was asked last could not be done. */
  | { kind: 'refused'; reason: string }
  /** For the log. */
  | { kind: 'log'; line: string };
