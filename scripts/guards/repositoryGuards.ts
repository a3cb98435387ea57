import type { Guard } from './guard.ts';

const manifest = 'package.json';

/** A setting of package.json that a workspace may have as well. */
function openToWorkspaces(
  id: string,
  scope: 'application' | 'machine',
): Pick<Guard, 'file' | 'is' | 'without'> {
  const setting = (scoped: string): string =>
    `"runhook.${id}": {\n          "type": "string",\n          "default": "",\n          "scope": "${scoped}"`;
  return { file: manifest, is: setting(scope), without: setting('resource') };
}

/** Against a repository that was cloned. */
export const repositoryGuards: readonly Guard[] = [
  {
    guard: 'no token is lent unasked',
    file: 'src/editor/projects/keys/keyLists.ts',
    is: 'if (lender?.isAllowed !== true) throw error;',
    without: 'if (lender === undefined) throw error;',
    tests: {
      'editor/projects/tokens/lenders.test.ts': ['are not read unasked, by no caller and in no background'],
    },
  },
  {
    guard: 'a token is lent where the user says yes',
    file: 'src/editor/projects/keys/keyCommands.ts',
    is: '  await questions.confirm(\n',
    without: '  await ((..._: unknown[]) => undefined)(\n',
    tests: { 'editor/projects/tokens/lenders.test.ts': ['are not read where the user says no'] },
  },
  {
    guard: 'it is remembered for one address',
    file: 'src/editor/projects/tokens/lenders.ts',
    is: 'return JSON.stringify(this.#projects.tokenOwner(projectId, serviceAccountId));',
    without: 'return JSON.stringify([projectId, serviceAccountId]);',
    tests: {
      'editor/projects/tokens/lenders.test.ts': ['lends nothing to an account behind another address'],
    },
  },
  {
    guard: 'both addresses can be set by the user alone',
    ...openToWorkspaces('baseUrl', 'application'),
    tests: {
      'unit/manifest.test.ts': ['lets no workspace redirect tokens, or choose what is executed'],
      'editor/projects/commands.test.ts': ['ignores an address that the workspace sets'],
    },
  },
  {
    guard: 'a token is kept, and sent, by the origin it was stored for',
    file: 'src/editor/projects/tokens/tokens.ts',
    is: 'return prefix + JSON.stringify([origin, projectId, serviceAccountId]);',
    without: "return prefix + JSON.stringify([origin && 'any', projectId, serviceAccountId]);",
    tests: {
      'editor/projects/commands.test.ts': [
        'sends a token to no other address than the one it was stored for',
      ],
    },
  },
  {
    guard: 'the addresses of a project count from the user settings alone',
    file: 'src/editor/projects/projectSettings.ts',
    is: 'return ownService(lists().ofUser, projectId);',
    without: 'return ownService(lists().ofFolder ?? lists().ofUser, projectId);',
    tests: {
      'editor/projects/projectAddresses.test.ts': [
        'takes no address of a project from the workspace, trusted or not',
      ],
      'editor/projects/addressLines.test.ts': [
        'says that an address of the workspace does not count, and leads to the setting',
      ],
    },
  },
  {
    guard: 'a caller that gives a project an address is asked for',
    file: 'src/editor/projects/projectAddresses.ts',
    is: 'await questions.confirm(',
    without: 'void String(',
    tests: {
      'editor/projects/projectAddresses.test.ts': [
        'asks before a caller gives a project an address, and keeps it in the user settings',
      ],
    },
  },
  {
    guard: 'each project has its own addresses and tokens',
    file: 'src/editor/projects/projects.ts',
    is: 'return { origin: originOf(baseUrl), projectId, serviceAccountId };',
    without: "return { origin: originOf(baseUrl) && 'any', projectId, serviceAccountId };",
    tests: {
      'editor/projects/projectAddresses.test.ts': [
        'leaves a token where it was set for, when its project goes elsewhere',
      ],
    },
  },
  {
    guard: 'a project with one address of its own has no other',
    file: 'src/editor/projects/projectSettings.ts',
    is: 'return this.ownService(projectId) ?? config.defaultService();',
    without: 'return config.defaultService();',
    tests: {
      'editor/projects/projectAddresses.test.ts': [
        'reaches each at its own addresses, with its own token',
        'borrows no address from another service where one is missing',
      ],
    },
  },
  {
    guard: 'address and token are of one moment',
    file: 'src/editor/projects/projects.ts',
    is: 'if (token !== undefined) return { service, token };',
    without: 'if (token !== undefined) return { service: this.service(projectId), token };',
    tests: {
      'editor/projects/keys/keyLists.test.ts': [
        'are asked for where the token belongs, though the address is set anew meanwhile',
      ],
    },
  },
  {
    guard: 'a tunnel program is named by the user alone',
    ...openToWorkspaces('tunnel.command', 'machine'),
    tests: {
      'editor/tunnels/tunnels.test.ts': [
        'lets no workspace name a tunnel program or make the listener public',
      ],
    },
  },
  {
    guard: 'a program is asked for before its first start',
    file: 'src/editor/tunnels/tunnelControl.ts',
    is: 'if (options.confirmed !== true) await choice.allow(way, port);',
    without: '',
    tests: {
      'editor/tunnels/tunnels.test.ts': [
        'asks before a program is started for the first time, and not again',
      ],
    },
  },
  {
    guard: 'an account that you call `prod` stays `prod`',
    file: 'src/editor/projects/projectSettings.ts',
    is: 'keepProduction(readProjects(ofFolder), projects)',
    without: 'readProjects(ofFolder)',
    tests: {
      'editor/projects/access.test.ts': [
        'asks first under what the user calls prod, whatever the workspace calls it',
      ],
    },
  },
  {
    guard: 'an account asks that may be production by its name',
    file: 'src/model/projects/environment.ts',
    is: '/^(?:prod|prd)|(?:prod|prd|production)$|本番/.test(word)',
    without: "word === 'production'",
    tests: {
      'editor/projects/access.test.ts': ['asks first under prod-eu too, and not under preprod'],
    },
  },
  {
    guard: '`runhook.listener.forwardTo` is ignored while the workspace is not trusted',
    file: manifest,
    is: '"restrictedConfigurations": [\n        "runhook.listener.forwardTo",',
    without: '"restrictedConfigurations": [',
    tests: { 'unit/manifest.test.ts': ['lets no workspace redirect tokens, or choose what is executed'] },
  },
  {
    guard: 'an address of a trusted workspace that is not this machine is asked for',
    file: 'src/model/deliveries/destination.ts',
    is: "if (answer === undefined) return 'unanswered';",
    without: "if (answer === undefined) return 'given';",
    tests: {
      'editor/listener/destinations.test.ts': [
        'keeps what a workspace has handed on to another machine, until the user allows it',
      ],
      'ui/destinations.test.ts': ['is asked for, and nothing is handed on before'],
      'unit/model/deliveries/destination.test.ts': [
        'is nowhere else without an answer, however much it looks like this machine',
      ],
    },
  },
  {
    guard: 'a fixture is asked for before it leaves this machine',
    file: 'src/editor/deliveries/fixtures/sendFixtureCommand.ts',
    is: 'await leave.ask({ file: uri, method, headers, bytes, isSigned: secret !== undefined }, to);',
    without: '',
    tests: {
      'editor/deliveries/signatureTools.test.ts': [
        'asks before it signs a file of the workspace for another machine, for each file, text and address',
      ],
    },
  },
  {
    guard: 'an `http://` address off this machine is warned of',
    file: 'src/model/keys/clearText.ts',
    is: "protocol === 'http:' && !isLoopback(hostname)",
    without: "protocol === 'ftp:' && !isLoopback(hostname)",
    tests: {
      'unit/model/keys/clearText.test.ts': ['is an http address that is not on this machine'],
      'editor/projects/clearText.test.ts': [
        'is warned of where it is set, once, and not on this machine',
        'stands in the tree: on the project, and in a line that leads to the setting',
      ],
    },
  },
  {
    guard: 'a dashboard that the workspace names is asked for',
    file: 'src/editor/projects/keys/apiKeysPage.ts',
    is: 'if (holds !== ofUser) await this.#askForLeave(url);',
    without: '',
    tests: {
      'editor/projects/keys/apiKeysPage.test.ts': [
        'asks before it opens what the workspace names, once for each address',
      ],
    },
  },
  {
    guard: 'a dashboard holds no user name',
    file: 'src/model/projects/dashboardPage.ts',
    is: "url.username !== '' || url.password !== ''",
    without: "url.href === ''",
    tests: { 'unit/model/projects/dashboardPage.test.ts': ['is refused:'] },
  },
  {
    guard: 'a stored token in a file of the workspace is warned of',
    file: 'src/editor/leaks/tokenLeakWatch.ts',
    is: '(await places()).length > 0 && !(await this.#git.ignores(uri))',
    without: 'false',
    tests: { 'editor/leaks/tokenLeaks.test.ts': ['is warned of, and moved by a code action'] },
  },
  {
    guard: '_Find Tokens in Workspace_ finds it, and webhook secrets, in every file that git does not ignore',
    file: 'src/editor/leaks/findTokensCommand.ts',
    is: "watch.mark(found, result.end === 'complete');",
    without: '',
    tests: {
      'editor/leaks/findTokens.test.ts': [
        'looks through what git does not ignore, and marks it in files that nobody opened',
      ],
    },
  },
  {
    guard: 'what is staged is looked at before it is committed',
    file: 'src/editor/leaks/stagedWatch.ts',
    is: 'this.#tell(await this.#newLeaks(git, repository));',
    without: 'await this.#newLeaks(git, repository);',
    tests: { 'editor/leaks/stagedTokens.test.ts': ['is warned of before it is committed, and shown'] },
  },
  {
    guard: "the programs that a repository's settings name switched off",
    file: 'src/editor/leaks/search/gitProgram.ts',
    is: "const safeSettings = ['core.fsmonitor=false',",
    without: 'const safeSettings = [',
    tests: {
      'unit/editor/leaks/search/gitFiles.test.ts': [
        'are listed without running a program of the repository',
        'is read without running a program of the repository',
      ],
    },
  },
  {
    guard: 'no link is followed, into a file',
    file: 'src/editor/leaks/search/fileText.ts',
    is: 'if (!isWithin(await realpath(folder), await realpath(dirname(path))))',
    without: 'if (false)',
    tests: { 'unit/editor/leaks/search/fileText.test.ts': ['is none of what a link leads to, be it a loop'] },
  },
  {
    guard: 'no link is followed, into a folder',
    file: 'src/editor/leaks/search/folderFiles.ts',
    is: 'else if (entry.isDirectory() && ',
    without: 'else if (!entry.isFile() && ',
    tests: {
      'unit/editor/leaks/search/workspaceFiles.test.ts': [
        'are all but node_modules where there is no git, and no link is followed',
      ],
    },
  },
  {
    guard: '_Runhook: Reset Runhook_ removes what is stored',
    file: 'src/editor/reset/storedParts.ts',
    is: 'erase: () => run.erase() }',
    without: 'erase: async () => undefined }',
    tests: {
      'editor/reset/reset.test.ts': [
        'removes tokens, secrets, deliveries and payloads, and says that the settings stay',
      ],
    },
  },
];
