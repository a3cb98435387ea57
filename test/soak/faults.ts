import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { killListenerPrograms, killRunningPrograms } from '../support/listener/listenerPrograms.ts';
import { diskFaults, fileFaults } from './fileFaults.ts';
import { appModes } from './fakeLocalApp.ts';
import { sendHostileMessages, hostileMessages } from './hostileMessages.ts';
import type { Fault, Site } from './site.ts';
import { terminalFaults } from './terminalFault.ts';
import { storageFaults } from './storageFaults.ts';

/** Faults that a listener program must survive without a restart and without losing anything. */
export const survivableFaults: Readonly<Record<string, Fault>> = {
  ...diskFaults,
  ...terminalFaults,
  ...storageFaults,
  hostIsBusy: async (site) => {
    await site.window.rpc.call.block({ ms: site.random.whole(200, 1500) });
  },
  localAppChanges: async (site) => {
    site.app.mode = site.random.of(appModes);
    await pause(site.random.whole(50, 500));
  },
  tunnelDies: async (site) => {
    for (let times = site.random.whole(1, 5); times > 0; times -= 1) {
      site.tunnel.breakConnections();
      await pause(site.random.whole(1, 50));
    }
  },
  secondWindow: async (site) => {
    const second = await site.openWindow();
    if (second.state.port !== site.port) site.fail(`A second window was told port ${second.state.port}.`);
    await pause(site.random.whole(10, 200));
    await (site.random.next() < 0.5 ? second.kill() : second.leave(30));
  },
  windowReloads: async (site) => {
    const before = site.window;
    const [after] = await Promise.all([site.openWindow(), before.leave(30)]);
    site.window = after;
  },
  windowIsKilled: async (site) => {
    await site.window.kill();
    // The program must work without a window.
    await site.expectRecovery('noWindow');
    site.window = await site.openWindow();
  },
  answersAreOrdered: async (site) => {
    const response = site.random.of([404, 500, 503, 'drop', 'hang'] as const);
    if (typeof response === 'number') site.allowedStatuses.add(response);
    await site.window.rpc.call.setNextResponses({ response, times: site.random.whole(1, 5) });
  },
  strangersConnect: async (site) => {
    const noises = [
      randomBytes(2000),
      Buffer.from('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'),
      Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
      Buffer.alloc(0),
    ];
    const sockets = Array.from({ length: 50 }, () => connect(site.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined).write(site.random.of(noises));
    await pause(site.random.whole(10, 200));
    for (const socket of sockets) socket.destroy();
  },
  strangersAtTheSocket: async (site) => {
    const messages = Array.from({ length: 40 }, () => site.random.of(hostileMessages));
    const sockets = sendHostileMessages(site.folder, messages);
    await pause(site.random.whole(10, 200));
    for (const socket of sockets) socket.destroy();
  },
};

/** Faults that end a program or remove its file. */
export const endingFaults: Readonly<Record<string, Fault>> = {
  ...fileFaults,
  programIsKilled: async (site) => {
    await killRunningPrograms(site.folder);
  },
  bothAreKilled: async (site) => {
    await Promise.all([site.window.kill(), killListenerPrograms(site.folder)]);
    site.window = await site.openWindow();
  },
  programIsStopped: async (site) => {
    await site.window.rpc.call.stop();
  },
  anotherVersionComes: async (site) => {
    const before = site.window;
    site.switchVersion();
    site.window = await site.openWindow(true);
    await before.leave(30);
  },
  allWindowsLeave: async (site: Site) => {
    await site.window.leave(site.random.of([0, 30]));
    await pause(site.random.whole(10, 300));
    site.window = await site.openWindow();
  },
};
