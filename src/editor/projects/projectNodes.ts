import { type App, appName, type Project } from '../../model/project.ts';
import type { AppChildren, AppRef } from './appChildren.ts';
import type { AccountRef } from './keyLists.ts';
import { nodeId } from './projectItems.ts';
import type { NodeOf, ProjectNode } from './projectNode.ts';
import type { Projects } from './projects.ts';
import type { Tokens } from './tokens.ts';
import type { ViewLines } from './viewLines.ts';

/**
 * The elements of the Projects view down to accounts and apps. The last ones made of each account and app are
 * kept: the view knows an element by the object that it is, and by it one alone can be drawn again.
 */
export class ProjectNodes {
  readonly #projects: Projects;
  readonly #tokens: Tokens;
  readonly #appChildren: AppChildren;
  readonly #lines: ViewLines;
  readonly #accounts = new Map<string, NodeOf<'account'>>();
  readonly #apps = new Map<string, NodeOf<'app'>>();

  constructor(projects: Projects, tokens: Tokens, appChildren: AppChildren, lines: ViewLines) {
    this.#projects = projects;
    this.#tokens = tokens;
    this.#appChildren = appChildren;
    this.#lines = lines;
  }

  roots(): ProjectNode[] {
    return [
      ...this.#projects.all().map((project) => this.#projectNode(project)),
      ...this.#lines.all().map((item) => ({ kind: 'line' as const, item, argument: {} })),
    ];
  }

  /** Its accounts and, last, its apps. */
  async ofProject({ project }: NodeOf<'project'>): Promise<ProjectNode[]> {
    const { id: projectId } = project;
    const mounted = this.#isMounted(projectId);
    const active = this.#projects.activeAccount(projectId);
    const accounts = await Promise.all(
      project.serviceAccounts.map(async (account): Promise<NodeOf<'account'>> => {
        const argument = { projectId, serviceAccountId: account.id };
        const token = await this.#tokens.state(this.#projects.tokenOwner(projectId, account.id));
        return { kind: 'account', account, token, active: account.id === active?.id, mounted, argument };
      }),
    );
    for (const account of accounts) this.#accounts.set(accountKey(account.argument), account);
    const none: ProjectNode = { kind: 'message', message: { kind: 'addAccount' }, argument: { projectId } };
    return [...(accounts.length === 0 ? [none] : accounts), this.#appsNode(project)];
  }

  ofApps({ project }: NodeOf<'apps'>): ProjectNode[] {
    return project.apps.map((app) => this.#appNode(project.id, app));
  }

  ofApp(node: NodeOf<'app'>): ProjectNode[] {
    return this.#appChildren
      .of(node.argument)
      .map((child) => ({ kind: 'appChild', child, parent: node, argument: child.argument }));
  }

  parentOf(node: ProjectNode): ProjectNode | undefined {
    switch (node.kind) {
      case 'project':
      case 'line':
        return undefined;
      case 'account':
      case 'apps':
        return this.#projectNode(this.#projects.get(node.argument.projectId));
      case 'app':
        return this.#appsNode(this.#projects.get(node.argument.projectId));
      case 'appChild':
        return node.parent;
      case 'key':
      case 'more':
        return this.account(node.argument);
      case 'message':
        return 'serviceAccountId' in node.argument
          ? this.account(node.argument)
          : this.#projectNode(this.#projects.get(node.argument.projectId));
    }
  }

  /** The element of an account; undefined where it was never drawn. */
  account(ref: AccountRef): NodeOf<'account'> | undefined {
    return this.#accounts.get(accountKey(ref));
  }

  /** The element of an app, brought up to date; undefined where it was never drawn. */
  app(ref: AppRef): NodeOf<'app'> | undefined {
    const node = this.#apps.get(appKey(ref));
    if (node !== undefined) node.expandable = this.#appChildren.of(ref).length > 0;
    return node;
  }

  #projectNode(project: Project): NodeOf<'project'> {
    const mountedLabel = this.#projects.mountedLabel(project.id);
    return { kind: 'project', project, mountedLabel, argument: { projectId: project.id } };
  }

  #appsNode(project: Project): NodeOf<'apps'> {
    const mounted = this.#isMounted(project.id);
    return { kind: 'apps', project, mounted, argument: { projectId: project.id } };
  }

  #appNode(projectId: string, app: App): NodeOf<'app'> {
    const argument = { projectId, appId: app.id, appName: appName(app) };
    const expandable = this.#appChildren.of(argument).length > 0;
    const note = this.#projects.appNote(projectId, app.id);
    const node: NodeOf<'app'> = { kind: 'app', app, note, expandable, argument };
    this.#apps.set(appKey(argument), node);
    return node;
  }

  #isMounted(projectId: string): boolean {
    return this.#projects.mountedLabel(projectId) !== undefined;
  }
}

/** The same for the same account. */
export function accountKey({ projectId, serviceAccountId }: AccountRef): string {
  return nodeId(['account', projectId, serviceAccountId]);
}

function appKey({ projectId, appName: name }: AppRef): string {
  return nodeId(['app', projectId, name]);
}
