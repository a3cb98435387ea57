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
  type Probed,
} from './bridgeProtocol.ts';

type Handlers = { [K in keyof BridgeCalls]: (takes: BridgeCalls[K]['takes']) => Promise<unknown> };

let probe: (Probed & { timer: NodeJS.Timeout }) | undefined;

const handlers: Handlers = {
  command: async ({ id, args }) => vscode.commands.executeCommand(id, ...args),
  activate: async ({ id }) => {
    const extension = vscode.extensions.getExtension(id);
    if (extension?.isActive !== false) throw new Error(`${id} is not there, or active already.`);
    const [started, before] = [performance.now(), threadWork()];
    await extension.activate();
    return { time: performance.now() - started, work: threadWork() - before };
  },
  startProbe: ({ everyMs }) => {
    const commands: number[] = [];
    const work: number[] = [];
    let before = threadWork();
    let isWaiting = false;
    const timer = setInterval(() => {
      const now = threadWork();
      work.push(now - before);
      before = now;
      // As a person does: the next one is not begun before this one has ended. What waited behind another
      // probe would tell of the probes.
      if (isWaiting) return;
      isWaiting = true;
      const started = performance.now();
      void vscode.commands.executeCommand('noop').then(() => {
        commands.push(performance.now() - started);
        isWaiting = false;
      });
    }, everyMs);
    probe = { timer, commands, work };
    return Promise.resolve(null);
  },
  endProbe: () => {
    clearInterval(probe?.timer);
    return Promise.resolve({ commands: probe?.commands ?? [], work: probe?.work ?? [] });
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

/** Lets a test outside the editor run commands in this extension host, over loopback. */
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

/** Milliseconds of the processor that this thread has taken; before Node 23.9, that the whole process has. */
function threadWork(): number {
  const { user, system } =
    'threadCpuUsage' in process && typeof process.threadCpuUsage === 'function'
      ? process.threadCpuUsage()
      : process.cpuUsage();
  return (user + system) / 1000;
}

async function serve(request: IncomingMessage): Promise<unknown> {
  const name = request.url?.slice(1) ?? '';
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  if (!Object.hasOwn(handlers, name)) throw new Error(`The bridge has no call ${name}.`);
  // The test's client of the same build sent it.
  return handlers[name as keyof Handlers](JSON.parse(Buffer.concat(chunks).toString()) as never);
}

function readMemory(): Promise<MemoryUse> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice: what the first frees of the native side is given back by the second.
  collect();
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  return Promise.resolve({ rss, hostHeap: heapUsed });
}
