import type { Guard } from './guard.ts';

/** Of the tunnel and of what strangers reach by it. */
export const tunnelGuards: readonly Guard[] = [
  {
    guard: 'from before a tunnel opens until it has ended, whatever the windows say',
    file: 'src/listener/program/programSettings.ts',
    is: 'return isTunnelled ? { ...settings, isPublic: true, acceptUnverified: false } : settings;',
    without: 'return settings;',
    tests: {
      'unit/listener/program/programTunnel.test.ts': [
        'lets nothing unsigned in while it is there, whatever the windows say',
        'lets nothing unsigned in while it opens',
      ],
    },
  },
  {
    guard: 'that of a codespace as well',
    file: 'src/editor/tunnels/tunnelControl.ts',
    is: 'await tunnel.setTunnelled(true);',
    without: '',
    tests: {
      'editor/tunnels/tunnels.test.ts': [
        'opens its own forwarded address by one command in a terminal, and takes it back by another',
      ],
    },
  },
  {
    guard: 'none opens while no secret is held',
    file: 'src/listener/program/programTunnel.ts',
    is: 'if (!holdsSecret())',
    without: 'if (port < 0)',
    tests: { 'unit/listener/program/programTunnel.test.ts': ['is not opened while no secret is held'] },
  },
  {
    guard: 'what looks like a secret is taken out of its lines',
    file: 'src/listener/program/programTunnel.ts',
    is: 'maskSecrets(line)',
    without: 'line',
    tests: {
      'unit/listener/program/programTunnel.test.ts': [
        'has what its program prints in the log, without secrets',
      ],
    },
  },
  {
    guard: 'the status bar says so in the warning colours',
    file: 'src/editor/listener/status/statusLook.ts',
    is: "tooltip: where, background: 'warning' }",
    without: 'tooltip: where }',
    tests: {
      'unit/editor/listener/status/statusLook.test.ts': [
        'warns by colour, icon and words while it is public',
      ],
    },
  },
  {
    guard: 'in a window that came later too',
    file: 'src/editor/listener/listener.ts',
    is: 'this.tunnel.told(welcome.tunnel);',
    without: '',
    tests: {
      'editor/tunnels/tunnels.test.ts': [
        'shows the tunnel that another window has opened, at the same address and without a question',
      ],
    },
  },
  {
    guard: 'the tunnel closes with the listener',
    file: 'src/listener/program/program.ts',
    is: 'await Promise.all([this.#tunnel.close(), this.#listener.close()]);',
    without: 'await this.#listener.close();',
    tests: { 'unit/listener/program/programTunnel.test.ts': ['when another port is listened on'] },
  },
  {
    guard: 'and with a listener program that is killed',
    file: 'src/listener/tunnels/tunnelGuard.ts',
    is: "process.once('disconnect', end);",
    without: '',
    tests: {
      'unit/listener/program/programTunnel.test.ts': ['when the program is killed, which it is not told of'],
    },
  },
  {
    guard: 'the parser is strict',
    file: 'src/listener/intake/listener.ts',
    is: 'const server = http.createServer({',
    without: 'const server = http.createServer({\n      insecureHTTPParser: true,',
    tests: { 'unit/listener/rawSockets.test.ts': ['both a length and chunks'] },
  },
  {
    guard: 'a body that is shorter than it was said to be is not kept',
    file: 'src/listener/intake/incomingBody.ts',
    is: "const cut = (): void => this.#end({ kind: 'cut' });",
    without: 'const cut = (): void => this.#finish();',
    tests: {
      'unit/listener/rawSockets.test.ts': ['keeps nothing of a body that is shorter than its Content-Length'],
    },
  },
];
