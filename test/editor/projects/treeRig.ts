import * as vscode from 'vscode';
import { createFetchTransport } from '../../../src/service/client/fetchTransport.ts';
import { webhookSecrets } from '../../../src/editor/listener/secrets/webhookSecrets.ts';
import type { Node } from '../../../src/editor/kit/tree.ts';
import { ExpiryWatch } from '../../../src/editor/projects/expiryWatch.ts';
import { KeyLists } from '../../../src/editor/projects/keyLists.ts';
import { KnownKeysStore } from '../../../src/editor/projects/knownKeys.ts';
import { Projects } from '../../../src/editor/projects/projects.ts';
import { ProjectsTree } from '../../../src/editor/projects/projectsTree.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import type { AccountRef, AppRef } from '../../../src/service/projects/project.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';
import { setSetting } from '../../support/editor/inEditor.ts';

/** The Projects view's parts, with stores of their own, on two accounts of which the sandbox knows the first. */
export class TreeRig {
  readonly service = new SandboxGate();
  readonly secrets = new MemorySecrets();
  readonly state = new MemoryMemento();
  readonly log = vscode.window.createOutputChannel('Tree Rig', { log: true });
  readonly ci = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };
  readonly gone = { projectId: 'p-sandbox', serviceAccountId: 'sa-gone' };
  /** The rows below an app. */
  rowsOf: (app: AppRef) => Node[] = () => [];
  /** What the clock says, in milliseconds since 1970. */
  now = Date.now();
  readonly tokens = new Tokens(this.secrets, this.state);
  readonly projects = new Projects({
    tokens: this.tokens,
    workspaceState: this.state,
    prompts: new AnsweredPrompts(),
    log: this.log,
  });
  readonly keyLists = new KeyLists({
    projects: this.projects,
    transport: createFetchTransport(globalThis.fetch),
    userAgent: 'test',
    store: new KnownKeysStore(this.state),
    log: this.log,
  });
  readonly webhookSecrets = webhookSecrets(this.secrets, this.projects);
  /** The account whose token terminals have. */
  given: AccountRef | undefined;
  readonly terminals = {
    changed: new vscode.EventEmitter<undefined>(),
    isOf: ({ serviceAccountId }: AccountRef) => serviceAccountId === this.given?.serviceAccountId,
  };
  readonly tree = new ProjectsTree({
    projects: this.projects,
    tokens: this.tokens,
    keyLists: this.keyLists,
    secrets: this.webhookSecrets,
    appRows: { onDidChange: new vscode.EventEmitter<AppRef>().event, of: (app) => this.rowsOf(app) },
    ways: { onDidChangeWay: new vscode.EventEmitter<AppRef>().event, usual: () => 'webhook' },
    terminals: { ...this.terminals, onDidChange: this.terminals.changed.event },
    lines: { onDidChange: new vscode.EventEmitter<undefined>().event, all: () => [] },
    log: this.log,
    now: () => this.now,
  });

  /** What was drawn anew, in the order of time: some elements, or undefined for all. */
  readonly redraws: (readonly Node[] | undefined)[] = [];

  constructor() {
    this.tree.onDidChangeTreeData((nodes) => this.redraws.push(nodes));
  }

  async start(): Promise<void> {
    await setSetting('baseUrl', (await this.service.start()).baseUrl);
    const serviceAccounts = [{ id: 'sa-ci', name: 'ci' }, { id: 'sa-gone' }];
    await setSetting('projects', [{ id: 'p-sandbox', name: 'Acme', serviceAccounts }]);
    for (const { projectId, serviceAccountId } of [this.ci, this.gone]) {
      await this.projects.setToken({ projectId, serviceAccountId }, this.service.address.token);
    }
  }

  dispose(): void {
    for (const part of [this.tree, this.keyLists, this.projects, this.tokens, this.log]) part.dispose();
  }

  async stop(): Promise<void> {
    this.dispose();
    await setSetting('projects', undefined);
    await setSetting('baseUrl', undefined);
    await this.service.stop();
  }

  /** The lines under a line, or at the top. */
  async below(node?: Node): Promise<{ node: Node; item: vscode.TreeItem }[]> {
    return (await this.tree.getChildren(node)).map((child) => ({
      node: child,
      item: this.tree.getTreeItem(child),
    }));
  }

  /** Asks for every line from here down, as a view does that has all of them unfolded. */
  async draw(node?: Node): Promise<void> {
    for (const child of await this.below(node)) await this.draw(child.node);
  }

  /** The line of an account, drawn anew. */
  async account({ serviceAccountId }: { serviceAccountId: string }): Promise<{
    node: Node;
    item: vscode.TreeItem;
  }> {
    const [project] = await this.below();
    const lines = await this.below(project!.node);
    return lines.find(
      ({ node }) =>
        kindOf(node) === 'account' && (node.argument as AccountRef).serviceAccountId === serviceAccountId,
    )!;
  }

  /** The lines below an account, each as `label | description`. */
  async lines(ref: { serviceAccountId: string }): Promise<string[]> {
    const below = await this.below((await this.account(ref)).node);
    return below.map(({ item }) =>
      [item.label, item.description].filter((part) => typeof part === 'string').join(' | '),
    );
  }

  /** A watch of what expires, by the clock of the rig. */
  watch(display: ConstructorParameters<typeof ExpiryWatch>[0]['display']): ExpiryWatch {
    const { projects, tokens, keyLists, state, log } = this;
    return new ExpiryWatch({ projects, tokens, keyLists, state, log, display, now: () => this.now });
  }
}

/** What kind of row it is: the first word that menus match. */
export function kindOf({ item }: Node): string | undefined {
  return item.contextValue?.split(' ')[0];
}
