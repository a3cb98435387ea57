import { cloudflared } from '../../src/listener/tunnels/cloudflared.ts';
import { TunnelProcess } from '../../src/listener/tunnels/tunnelProcess.ts';
import { guardFile } from './tunnelGuardFile.ts';

// Stands in for the extension host: runs a tunnel program, `tunnelHost.ts <program>`, prints its address once
// it is open, and stays until it is killed.
const [command = ''] = process.argv.slice(2);
const tunnel = new TunnelProcess({
  ...{ adapter: cloudflared, command, guardFile, port: 8787 },
  ...{ openWithinMs: 5000, settleMs: 5000, killAfterMs: 300, onLine: () => undefined },
});
console.log(await tunnel.opened);
