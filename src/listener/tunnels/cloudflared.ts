import { t } from '../../model/text/l10n.ts';
import type { TunnelAdapter, TunnelEvent } from './tunnelAdapter.ts';

/** Addresses at trycloudflare.com that are not tunnels. */
const notATunnel = new Set(['https://api.trycloudflare.com', 'https://www.trycloudflare.com']);

/**
 * cloudflared's quick tunnels: no account, a random address that changes with every start.
 * https://developers.cloudflare.com/cloudflare-one/connections/connect-networks/do-more-with-tunnels/trycloudflare/
 */
export const cloudflared: TunnelAdapter = {
  program: 'cloudflared',
  // Outside a terminal cloudflared would update itself and restart. The user's config.yml is for the user's own tunnels:
  // its rules would answer deliveries with 404.
  arguments: (port, config) => [
    ...['tunnel', '--config', config, '--no-autoupdate'],
    ...['--url', `http://127.0.0.1:${port}`],
  ],
  read: (line) => [...urlIn(line), ...connectionIn(line), ...problemIn(line)],
};

function urlIn(line: string): TunnelEvent[] {
  const [url] = /https:\/\/[a-z0-9-]+\.trycloudflare\.com\b/.exec(line) ?? [];
  return url === undefined || notATunnel.has(url) ? [] : [{ kind: 'url', url: `${url}/` }];
}

/** The second wording is that of older versions (2022). */
function connectionIn(line: string): TunnelEvent[] {
  return /Registered tunnel connection|Connection [0-9a-f-]+ registered/.test(line)
    ? [{ kind: 'connected' }]
    : [];
}

function problemIn(line: string): TunnelEvent[] {
  if (/429 Too Many Requests|error code: 1015/.test(line)) {
    const reason = t(
      'Cloudflare refuses more tunnels from this network for now. Wait some minutes, or use ngrok.',
    );
    return [{ kind: 'problem', reason, final: true }];
  }
  const [failed] = /^failed to .+$|\berror parsing YAML in config file.*$/i.exec(line.trim()) ?? [];
  return failed === undefined ? [] : [{ kind: 'problem', reason: `cloudflared: ${failed}`, final: false }];
}
