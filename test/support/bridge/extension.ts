import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import {
  type BridgeAddress,
  type BridgeCalls,
  bridgeFolderVariable,
  type MemoryUse,
  type ProbeResult,
} from './bridgeProtocol.ts';
import { cpuUsageMs } from '../time/cpuTime.ts';
import { waitFor } from '../time/waitFor.ts';

type Handlers = {
  [K in keyof BridgeCalls]: (takes: BridgeCalls[K]['takes']) => Promise<BridgeCalls[K]['gives']>;
};

let probe: (ProbeResult & { timer: NodeJS.Timeout }) | undefined;

const handlers: Handlers = {
  command: async ({ id, args }) => vscode.commands.executeCommand(id, ...args),
  activate: async ({ id }) => {
    const extension = vscode.extensions.getExtension(id);
    if (extension?.isActive !== false) throw new Error(`${id} is not there, or active already.`);
    const [started, before] = [performance.now(), threadCpuMs()];
    await extension.activate();
    return { wallMs: performance.now() - started, cpuMs: threadCpuMs() - before };
  },
  startProbe: ({ everyMs }) => {
    const commandMs: number[] = [];
    const cpuMs: number[] = [];
    let before = threadCpuMs();
    let isWaiting = false;
    const timer = setInterval(() => {
      const now = threadCpuMs();
      cpuMs.push(now - before);
      before = now;
      // One command at a time: a second one would measure how long it waits for the first.
      if (isWaiting) return;
      isWaiting = true;
      const started = performance.now();
      void vscode.commands.executeCommand('noop').then(() => {
        commandMs.push(performance.now() - started);
        isWaiting = false;
      });
    }, everyMs);
    probe = { timer, commandMs, cpuMs };
    return Promise.resolve(null);
  },
  endProbe: async () => {
    const { timer, commandMs, cpuMs } = probe!;
    // A short time on a busy machine may have been over before the first command was.
    await waitFor('a command', () => commandMs.length > 0);
    clearInterval(timer);
    return { commandMs, cpuMs };
  },
  linesInDocument: ({ languageId }) => Promise.resolve(documentOf(languageId)?.lineCount ?? 0),
  countInDocument: ({ languageId, pattern }) => {
    const text = documentOf(languageId)?.getText() ?? '';
    return Promise.resolve([...text.matchAll(new RegExp(pattern, 'g'))].length);
  },
  openDocuments: () =>
    Promise.resolve(
      vscode.workspace.textDocuments.map((document) => ({
        uri: document.uri.toString(true),
        text: document.getText(),
      })),
    ),
  invokeTool: async ({ name, input }) => {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content
      .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : JSON.stringify(part)))
      .join('\n');
  },
  memory: readMemory,
};

/** Lets a test in another process call this extension host over HTTP on loopback. */
export function activate(context: vscode.ExtensionContext): void {
  const folder = process.env[bridgeFolderVariable];
  if (folder === undefined) return;
  const server = createServer((request, response) => {
    serve(request).then(
      (gives) => response.end(JSON.stringify({ gives })),
      (error: unknown) => response.end(JSON.stringify({ problem: String(error) })),
    );
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    const address: BridgeAddress = { pid: process.pid, parent: process.ppid, port };
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${process.pid}.json`);
    writeFileSync(file, JSON.stringify(address));
    context.subscriptions.push({ dispose: () => rmSync(file, { force: true }) });
  });
  context.subscriptions.push({ dispose: () => server.close() });
}

function documentOf(languageId: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.languageId === languageId);
}

/** The processor time of this thread; before Node 23.9, of the whole process. */
function threadCpuMs(): number {
  return cpuUsageMs(
    'threadCpuUsage' in process && typeof process.threadCpuUsage === 'function'
      ? process.threadCpuUsage()
      : process.cpuUsage(),
  );
}

async function serve(request: IncomingMessage): Promise<unknown> {
  const name = request.url?.slice(1) ?? '';
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  if (!Object.hasOwn(handlers, name)) throw new Error(`The bridge has no call ${name}.`);
  // The only client is `Bridge`, which has the same types.
  return handlers[name as keyof Handlers](JSON.parse(Buffer.concat(chunks).toString()) as never);
}

function readMemory(): Promise<MemoryUse> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice: the first collection runs finalizers, which let the second free native memory.
  collect();
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  return Promise.resolve({ rss, hostHeap: heapUsed });
}
