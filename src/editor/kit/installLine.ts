import type { TunnelProgram } from '../../deliveries/listenerProtocol.ts';

/** The properties of a machine that decide how programs are installed on it. */
export interface InstallTarget {
  /** As in Node: `process.platform`, `process.arch`. */
  platform: string;
  arch: string;
  /** The `installers` that it has. */
  has: ReadonlySet<string>;
}

/** The package managers whose presence changes the line. */
export const installers = ['brew', 'apt-get'] as const;

/** Sources: developers.cloudflare.com (Downloads), pkg.cloudflare.com and ngrok.com/downloads. */
const winget = {
  cloudflared: 'winget install --id Cloudflare.cloudflared',
  ngrok: 'winget install ngrok -s msstore',
};
const apt = {
  cloudflared: aptLine(
    'cloudflared',
    'https://pkg.cloudflare.com/cloudflare-main.gpg',
    '/usr/share/keyrings/cloudflare-main.gpg',
    'deb [signed-by=/usr/share/keyrings/cloudflare-main.gpg] https://pkg.cloudflare.com/cloudflared any main',
  ),
  ngrok: aptLine(
    'ngrok',
    'https://ngrok-agent.s3.amazonaws.com/ngrok.asc',
    '/etc/apt/trusted.gpg.d/ngrok.asc',
    'deb https://ngrok-agent.s3.amazonaws.com bookworm main',
  ),
};

/** The command line that installs a tunnel's program on a machine, as the program's maker documents it. */
export function installLine(program: TunnelProgram, { platform, arch, has }: InstallTarget): string {
  if (platform === 'win32') return winget[program];
  if (has.has('brew')) return `brew install ${program}`;
  if (platform === 'linux' && has.has('apt-get')) return apt[program];
  return oneFile(program, platform === 'darwin' ? 'darwin' : 'linux', arch);
}

function aptLine(program: TunnelProgram, key: string, keyring: string, source: string): string {
  return [
    `curl -fsSL ${key} | sudo tee ${keyring} >/dev/null`,
    `echo "${source}" | sudo tee /etc/apt/sources.list.d/${program}.list`,
    'sudo apt-get update',
    `sudo apt-get install ${program}`,
  ].join(' && ');
}

/** For a machine without a package manager: each program is a single file. */
function oneFile(program: TunnelProgram, system: 'darwin' | 'linux', arch: string): string {
  const machine = { x64: 'amd64', ia32: '386', arm: 'arm', arm64: 'arm64' }[arch] ?? 'amd64';
  const unpack = 'sudo tar -xz -C /usr/local/bin';
  if (program === 'ngrok') {
    return `curl -fsSL https://bin.ngrok.com/c/bNyj1mQVY4c/ngrok-v3-stable-${system}-${machine}.tgz | ${unpack}`;
  }
  const url = `https://github.com/cloudflare/cloudflared/releases/latest/download/cloudflared-${system}-${machine}`;
  if (system === 'darwin') return `curl -fsSL ${url}.tgz | ${unpack}`;
  return `sudo curl -fL ${url} -o /usr/local/bin/cloudflared && sudo chmod +x /usr/local/bin/cloudflared`;
}
