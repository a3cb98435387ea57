import * as vscode from 'vscode';
import { webhookSecrets } from '../../../src/editor/listener/secrets/webhookSecrets.ts';
import { KeyLists } from '../../../src/editor/projects/keyLists.ts';
import { KnownKeysStore } from '../../../src/editor/projects/knownKeys.ts';
import { Projects } from '../../../src/editor/projects/projects.ts';
import { type AppRows, ProjectsTree, type ViewLines } from '../../../src/editor/projects/projectsTree.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import { LastChoices } from '../../../src/editor/run/lastChoices.ts';
import type { Transport } from '../../../src/service/client/transport.ts';
import { AnsweredPrompts } from './answeredPrompts.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';

interface OwnTreeParts {
  log: vscode.LogOutputChannel;
  transport: Transport;
  appRows: AppRows;
  lines: ViewLines;
}

/** The Projects view with stores of its own, none of whose tokens terminals have. */
export function ownTree({ log, transport, appRows, lines }: OwnTreeParts) {
  const memento = new MemoryMemento();
  const tokens = new Tokens(new MemorySecrets(), memento);
  const projects = new Projects({ tokens, workspaceState: memento, prompts: new AnsweredPrompts(), log });
  const store = new KnownKeysStore(memento);
  const keyLists = new KeyLists({ projects, transport, userAgent: 'test', store, log });
  const tree = new ProjectsTree({
    ...{ projects, tokens, keyLists, appRows, lines, log, now: Date.now },
    secrets: webhookSecrets(new MemorySecrets(), projects),
    ways: new LastChoices(memento, () => true),
    terminals: { onDidChange: new vscode.EventEmitter<undefined>().event, isOf: () => false },
  });
  return { tokens, projects, keyLists, tree };
}
