/** Where to reach the bridge of an extension host. The bridge writes it as JSON into the folder of `bridgeFolderVariable`. */
export interface BridgeAddress {
  /** The process id of the extension host. */
  pid: number;
  /** The process id of its parent, the server. */
  parent: number;
  port: number;
}

/** The environment variable with the folder for the addresses. */
export const bridgeFolderVariable = 'RUNHOOK_TEST_BRIDGE';

/** Bytes after a garbage collection. */
export interface MemoryUse {
  /** The resident memory of the process, threads included. */
  rss: number;
  /** The heap of the extension host. */
  hostHeap: number;
}

/** The measurements of a probe, in milliseconds. */
export interface ProbeResult {
  /** The duration of each command. */
  commandMs: number[];
  /** The processor time of the extension host's thread in each interval. */
  cpuMs: number[];
}

/** The cost of an activation, in milliseconds. */
export interface ActivationCost {
  /** Elapsed time. */
  wallMs: number;
  /** Processor time of the extension host's thread. */
  cpuMs: number;
}

/** An open document, visible or not. */
interface OpenDocument {
  uri: string;
  text: string;
}

/** The calls of the bridge by name, with parameters and result. */
export interface BridgeCalls {
  /** Runs a command of the editor. */
  command: { takes: { id: string; args: unknown[] }; gives: unknown };
  /** Activates an extension that is not active yet. */
  activate: { takes: { id: string }; gives: ActivationCost };
  /** Starts to run a no-op command at an interval and to measure it. */
  startProbe: { takes: { everyMs: number }; gives: null };
  endProbe: { takes: Record<string, never>; gives: ProbeResult };
  /** The number of lines in the open document of a language, such as that of an output channel. */
  linesInDocument: { takes: { languageId: string }; gives: number };
  /** The number of matches of a pattern in the open document of a language. */
  countInDocument: { takes: { languageId: string; pattern: string }; gives: number };
  /** All open documents, including those of output channels that were shown. */
  openDocuments: { takes: Record<string, never>; gives: OpenDocument[] };
  /** Calls a language model tool. Returns the text of its result. */
  invokeTool: { takes: { name: string; input: object }; gives: string };
  memory: { takes: Record<string, never>; gives: MemoryUse };
}
