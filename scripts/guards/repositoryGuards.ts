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
    guard: 'both addresses can be set by the user alone',
    ...openToWorkspaces('baseUrl', 'application'),
    tests: {
      'unit/manifest.test.ts': ['lets no workspace redirect tokens, or choose what is executed'],
      'editor/projects/commands.test.ts': ['ignores an address that the workspace sets'],
    },
  },
  {
    guard: 'a token is kept, and sent, by the origin it was stored for',
    file: 'src/editor/projects/tokens.ts',
    is: 'return prefix + JSON.stringify([origin, projectId, serviceAccountId]);',
    without: "return prefix + JSON.stringify([origin && 'any', projectId, serviceAccountId]);",
    tests: {
      'editor/projects/commands.test.ts': [
        'sends a token to no other address than the one it was stored for',
      ],
    },
  },
  {
    guard: 'address and token are of one moment',
    file: 'src/editor/projects/projects.ts',
    is: 'if (token !== undefined) return { service, token };',
    without: 'if (token !== undefined) return { service: this.service(projectId), token };',
    tests: {
      'editor/projects/keyLists.test.ts': [
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
    is: 'if (options.confirmed !== true) await this.#parts.choice.allow(way, port);',
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
    is: 'keepProduction(readProjects(ofFolder), ofUser)',
    without: 'readProjects(ofFolder)',
    tests: {
      'editor/projects/access.test.ts': [
        'asks first under what the user calls prod, whatever the workspace calls it',
      ],
    },
  },
  {
    guard: 'an account asks that may be production by its name',
    file: 'src/model/environment.ts',
    is: '/^(?:prod|prd)|(?:prod|prd|production)$|本番/.test(word)',
    without: "word === 'production'",
    tests: {
      'editor/projects/access.test.ts': ['asks first under prod-eu too, and not under preprod'],
    },
  },
  {
    guard: '`runhook.listener.forwardTo` is ignored while the workspace is not trusted',
    file: manifest,
    is: '"restrictedConfigurations": [\n        "runhook.listener.forwardTo"\n      ]',
    without: '"restrictedConfigurations": []',
    tests: { 'unit/manifest.test.ts': ['lets no workspace redirect tokens, or choose what is executed'] },
  },
  {
    guard: 'an address of a trusted workspace that is not this machine is asked for',
    file: 'src/model/destination.ts',
    is: "if (answer === undefined) return 'unanswered';",
    without: "if (answer === undefined) return 'given';",
    tests: {
      'editor/listener/destinations.test.ts': [
        'keeps what a workspace has handed on to another machine, until the user allows it',
      ],
      'ui/destinations.test.ts': ['is asked for, and nothing is handed on before'],
      'unit/model/destination.test.ts': [
        'is nowhere else without an answer, however much it looks like this machine',
      ],
    },
  },
  {
    guard: 'a fixture is asked for before it leaves this machine',
    file: 'src/editor/deliveries/sendFixtureCommand.ts',
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
    file: 'src/model/clearText.ts',
    is: "protocol === 'http:' && !isLoopback(hostname)",
    without: "protocol === 'ftp:' && !isLoopback(hostname)",
    tests: {
      'unit/model/clearText.test.ts': ['is an http address that is not on this machine'],
      'editor/projects/clearText.test.ts': [
        'is warned of where it is set, once, and not on this machine',
        'stands in the tree: on the project, and in a line that leads to the setting',
      ],
    },
  },
  {
    guard: 'a stored token in a file of the workspace is warned of',
    file: 'src/editor/projects/tokenLeakWatch.ts',
    is: '(await this.#leaks(document)).length > 0 && !(await this.#git.ignores(uri))',
    without: 'false',
    tests: { 'editor/projects/tokenLeaks.test.ts': ['is warned of, and moved by a code action'] },
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
