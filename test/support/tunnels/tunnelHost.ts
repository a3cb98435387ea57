import { cloudflared } from '../../../src/listener/tunnels/tunnel.ts';
import { TunnelProcess } from '../../../src/listener/tunnels/tunnelProcess.ts';
import { guardFile } from './tunnelGuardFile.ts';

// Stands in for the extension host: starts a tunnel program, prints its URL, and runs until it is killed.
// `node tunnelHost.ts <program>`
const [command = ''] = process.argv.slice(2);
const tunnel = new TunnelProcess({
  ...{ adapter: cloudflared, command, guardFile, port: 8787 },
  ...{ openWithinMs: 5000, settleMs: 5000, killAfterMs: 300, onLine: (line: string) => line },
});
console.log(await tunnel.opened);
