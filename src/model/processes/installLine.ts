import type { TunnelProgram } from './tunnelState.ts';

/**
 * The line for a terminal that installs a tunnel's program, as its maker documents it.
 * @param platform that of Node, `process.platform`
 * @param arch that of Node, `process.arch`
 */
export function installLine(program: TunnelProgram, platform: string, arch: string): string {
  switch (platform) {
    case 'darwin':
      return `brew install ${program}`;
    case 'win32':
      return program === 'cloudflared'
        ? 'winget install --id Cloudflare.cloudflared'
        : 'winget install --id Ngrok.Ngrok';
    default:
      return program === 'cloudflared' ? cloudflaredOf(arch) : 'sudo snap install ngrok';
  }
}

/** Linux has no one way to install packages: the program is one file. */
function cloudflaredOf(arch: string): string {
  const name = { x64: 'amd64', ia32: '386', arm: 'arm', arm64: 'arm64' }[arch] ?? 'amd64';
  const url = `https://github.com/cloudflare/cloudflared/releases/latest/download/cloudflared-linux-${name}`;
  return `sudo curl -fL ${url} -o /usr/local/bin/cloudflared && sudo chmod +x /usr/local/bin/cloudflared`;
}
