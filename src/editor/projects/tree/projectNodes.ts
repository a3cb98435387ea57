import { type App, appName, type Project } from '../../../model/projects/project.ts';
import { originsInClear } from '../../../model/keys/clearText.ts';
import type { AppChildren } from './appChildren.ts';
import type { Lenders } from '../tokens/lenders.ts';
import type { OwnSecrets } from '../ownSecrets.ts';
import type { Message, NodeOf, ProjectNode } from './projectNode.ts';
import type { Projects } from '../projects.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { ViewLines } from './viewLines.ts';

/** Makes the elements of the Projects view, but for those below an account. */
export class ProjectNodes {
  readonly #projects: Projects;
  readonly #tokens: Tokens;
  readonly #appChildren: AppChildren;
  readonly #lines: ViewLines;
  readonly #secrets: OwnSecrets;
  readonly #lenders: Lenders;

  constructor(
    projects: Projects,
    tokens: Tokens,
    appChildren: AppChildren,
    lines: ViewLines,
    secrets: OwnSecrets,
    lenders: Lenders,
  ) {
    this.#projects = projects;
    this.#tokens = tokens;
    this.#appChildren = appChildren;
    this.#lines = lines;
    this.#secrets = secrets;
    this.#lenders = lenders;
  }

  roots(): ProjectNode[] {
    return [
      ...this.#projects.all().map((project) => this.#projectNode(project)),
      ...this.#lines.all().map((item) => ({ kind: 'line' as const, item, argument: {} })),
    ];
  }

  /** What its address has to say, its accounts and, last, its apps. */
  async ofProject({ project, inClear, ignored }: NodeOf<'project'>): Promise<ProjectNode[]> {
    const { id: projectId } = project;
    const transient = this.#isTransient(projectId);
    const active = this.#projects.activeAccount(projectId);
    const states = await Promise.all(
      project.serviceAccounts.map(async (account) => ({
        account,
        token: await this.#tokens.state(this.#projects.tokenOwner(projectId, account.id)),
      })),
    );
    const stored = states.filter(({ token }) => token.kind === 'stored').map(({ account }) => account);
    const accounts = states.map(({ account, token }): NodeOf<'account'> => {
      const argument = { projectId, serviceAccountId: account.id };
      const lender = token.kind === 'stored' ? undefined : this.#lenders.among(argument, stored);
      return {
        kind: 'account',
        account,
        token,
        active: account.id === active?.id,
        transient,
        lender,
        argument,
      };
    });
    const none: ProjectNode = { kind: 'message', message: { kind: 'addAccount' }, argument: { projectId } };
    const messages: Message[] = [
      ...(ignored.length === 0 ? [] : [{ kind: 'addressIgnored' as const, addresses: ignored }]),
      ...(inClear.length === 0 ? [] : [{ kind: 'inClear' as const, origins: inClear }]),
    ];
    const warnings = messages.map((message): ProjectNode => ({
      kind: 'message',
      message,
      argument: { projectId },
    }));
    return [...warnings, ...(accounts.length === 0 ? [none] : accounts), this.#appsNode(project)];
  }

  ofApps({ project, transient, argument }: NodeOf<'apps'>): ProjectNode[] {
    if (project.apps.length === 0 && !transient)
      return [{ kind: 'message', message: { kind: 'addApp' }, argument }];
    return project.apps.map((app) => this.#appNode(project.id, app));
  }

  ofApp(node: NodeOf<'app'>): ProjectNode[] {
    return this.#appChildren
      .of(node.argument)
      .map((child) => ({ kind: 'appChild', child, parent: node, argument: child.argument }));
  }

  #projectNode(project: Project): NodeOf<'project'> {
    const transient = this.#projects.transient(project.id);
    const transientLabel = transient && (transient.label ?? '');
    const inClear = originsInClear(this.#projects.service(project.id));
    const argument = { projectId: project.id };
    const hasSecret = this.#secrets.has(argument);
    const ignored = this.#projects.ignoredAddresses(project.id);
    const own = this.#projects.ownService(project.id);
    const host = own === undefined ? '' : (URL.parse(own.baseUrl || own.proxyUrl)?.host ?? '');
    const shared = this.#projects.isShared(project.id);
    return { kind: 'project', project, transientLabel, host, ignored, inClear, hasSecret, shared, argument };
  }

  #appsNode(project: Project): NodeOf<'apps'> {
    const transient = this.#isTransient(project.id);
    return { kind: 'apps', project, transient, argument: { projectId: project.id } };
  }

  #appNode(projectId: string, app: App): NodeOf<'app'> {
    const argument = { projectId, appId: app.id, appName: appName(app) };
    const expandable = this.#appChildren.of(argument).length > 0;
    const note = this.#projects.transient(projectId)?.appNotes?.get(app.id);
    const hasSecret = this.#secrets.has(argument);
    const transient = this.#isTransient(projectId);
    return { kind: 'app', app, note, transient, expandable, hasSecret, argument };
  }

  #isTransient(projectId: string): boolean {
    return this.#projects.isTransient(projectId);
  }
}
