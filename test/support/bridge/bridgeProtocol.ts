/** What a bridge writes into the folder that the environment names, so that the test finds it. */
export interface BridgeAddress {
  /** The extension host that it runs in. */
  pid: number;
  /** The process that started the extension host. */
  parent: number;
  port: number;
}

/** The environment variable with the folder of the addresses. */
export const bridgeFolderVariable = 'RUNHOOK_TEST_BRIDGE';

/** Bytes after a garbage collection. */
export interface MemoryUse {
  /** Of the whole process, threads included. */
  rss: number;
  /** The heap of the extension host. */
  hostHeap: number;
}

/** What a probe found, in milliseconds. */
export interface Probed {
  /** How long each command took. */
  commands: number[];
  /**
   * How long the extension host's thread worked from one command to the next, in time of the processor: what
   * others on the machine do is not in it.
   */
  work: number[];
}

/** What an activation took, in milliseconds. */
export interface Activated {
  /** Until it had ended. */
  time: number;
  /** Of the processor, in the extension host's thread. */
  work: number;
}

/** A document that is open, on the screen or not. */
export interface OpenDocument {
  uri: string;
  text: string;
}

/** What a test may ask of the bridge: by name, what it takes and what it gives. */
export interface BridgeCalls {
  /** Runs a command of the editor, as another extension would. */
  command: { takes: { id: string; args: unknown[] }; gives: unknown };
  /** Activates an extension that is not active. */
  activate: { takes: { id: string }; gives: Activated };
  /** Starts to run a cheap command of the editor over and over, and measures how long each takes. */
  startProbe: { takes: { everyMs: number }; gives: null };
  endProbe: { takes: Record<string, never>; gives: Probed };
  /** How many lines the open document of that language has. */
  linesInDocument: { takes: { languageId: string }; gives: number };
  /** How often a pattern is in the open document of that language, such as that of an output channel. */
  countInDocument: { takes: { languageId: string; pattern: string }; gives: number };
  /** Every open document, those of output channels that were shown included. */
  openDocuments: { takes: Record<string, never>; gives: OpenDocument[] };
  /** Calls a tool as a language model does. Gives the text of its answer. */
  invokeTool: { takes: { name: string; input: object }; gives: string };
  memory: { takes: Record<string, never>; gives: MemoryUse };
}
