import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DiskFault } from './faultCells.ts';
import { appMoods } from './localAppStandIn.ts';
import type { Site } from './site.ts';
import { SoakHost } from './soakHost.ts';

type Fault = (site: Site) => Promise<void>;

/** What any listener has to get over without being started anew. */
export const passing: Readonly<Record<string, Fault>> = {
  diskFull: (site) => disk(site, 'full'),
  diskReadOnly: (site) => disk(site, 'readOnly'),
  diskTakesPart: (site) => disk(site, 'takesPart'),
  diskDoesNotSync: (site) => disk(site, 'doesNotSync'),
  clockJumps: async (site) => {
    site.allowed.add(401);
    const seconds = site.random.of([-86_400, -600, 600, 86_400, 1_000_000_000]);
    await site.host.channel.request('setClock', { seconds });
    await pause(site.random.whole(50, 500));
    await site.host.channel.request('setClock', { seconds: 0 });
  },
  hostIsBusy: async (site) => {
    await site.host.channel.request('block', { ms: site.random.whole(200, 1500) });
  },
  localAppChanges: async (site) => {
    site.app.mood = site.random.of(appMoods);
    await pause(site.random.whole(50, 500));
  },
  tunnelDies: async (site) => {
    for (let times = site.random.whole(1, 5); times > 0; times -= 1) {
      site.relay.die();
      await pause(site.random.whole(1, 50));
    }
  },
  secondWindow: async (site) => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-soak-second-'));
    const options = { folder, port: site.port, secret: 'another', forwardTo: site.app.url, once: true };
    const started = await SoakHost.start(options, site.fail).catch((error: unknown) => error);
    if (!(started instanceof Error && 'code' in started && started.code === 'EADDRINUSE')) {
      site.fail(`A second window on its port was told: ${String(started)}`);
    }
    rmSync(folder, { recursive: true, force: true });
  },
  answersAreOrdered: async (site) => {
    const response = site.random.of([404, 500, 503, 'drop', 'hang'] as const);
    if (typeof response === 'number') site.allowed.add(response);
    await site.host.channel.request('setNextResponses', { response, times: site.random.whole(1, 5) });
  },
  strangersConnect: async (site) => {
    const sockets = Array.from({ length: 50 }, () => connect(site.port, '127.0.0.1'));
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      const noise = site.random.of([
        randomBytes(2000),
        Buffer.from('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'),
        Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
        Buffer.alloc(0),
      ]);
      socket.write(noise);
    }
    await pause(site.random.whole(10, 200));
    for (const socket of sockets) socket.destroy();
  },
};

/** What ends a listener, and has the next one find all that the one before acknowledged. */
export const ending: Readonly<Record<string, Fault>> = {
  hostIsKilled: async (site) => {
    await site.host.kill();
    if (site.random.next() < 0.5) litter(site.folder);
    site.host = await site.newHost();
  },
  threadEnds: async (site) => {
    await site.host.channel.request('endThread', null);
  },
  windowReloads: async (site) => {
    const before = site.host;
    const [after] = await Promise.all([site.newHost(), before.end()]);
    site.host = after;
  },
};

async function disk(site: Site, fault: DiskFault): Promise<void> {
  await site.host.channel.request('setDisk', fault);
  await pause(site.random.whole(50, 500));
  await site.host.channel.request('setDisk', 'none');
}

/** Leaves what is no record, or half of one, where a journal is read. */
function litter(folder: string): void {
  const marker = randomBytes(8);
  const torn = Buffer.concat([marker, Buffer.of(255, 0, 0, 0, 1, 2, 3, 4), randomBytes(100)]);
  writeFileSync(join(folder, `000000000000-${marker.toString('hex')}-1.journal`), torn);
  writeFileSync(join(folder, 'notes.txt'), 'not a journal');
}
