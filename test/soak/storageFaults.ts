import * as fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { listenerPrograms } from '../support/listener/listenerPrograms.ts';
import { waitFor } from '../support/time/waitFor.ts';
import type { Fault, Site } from './site.ts';

/** What a file system can say of a folder that was there. */
const codes = ['ENOENT', 'EIO', 'ESTALE', 'ENOTDIR', 'ELOOP', 'EDQUOT', 'ENOSPC', 'EROFS', 'EACCES'] as const;

/** Checks that the program acknowledges nothing while its folder is gone, that it goes on, and says why. */
async function gainsNothing(site: Site, what: string): Promise<void> {
  const requestId = `${site.name}-${what}-${site.random.whole(0, 2 ** 31)}`;
  await site.sender.deliver(requestId, '{"while":"it is gone"}');
  if (site.sender.acknowledged.has(requestId)) site.fail(`It acknowledged a delivery in spite of ${what}.`);
  // Stands in for a ping.
  await site.window.rpc.call.setNextResponses({ response: 200, times: 0 });
  await waitFor(`the word of ${what}`, () => site.window.state.problem).catch(() =>
    site.fail(`It does not say that it cannot keep deliveries: ${what}.`),
  );
  await pause(site.random.whole(50, 500));
}

/** Does something while the programs stand still, so that none makes the folder anew meanwhile. */
async function whileStopped(site: Site, act: () => void): Promise<void> {
  const pids = await listenerPrograms(site.folder);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    act();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

/** As with a mount whose source was removed: making a folder gives ENOENT although its parent is there. Linux only. */
const mountGoes: Fault = async (site) => {
  const { folder } = site;
  const aside = `${folder}-aside`;
  await whileStopped(site, () => {
    fs.renameSync(folder, aside);
    fs.symlinkSync('/proc', folder);
  });
  try {
    await gainsNothing(site, 'a mount that goes');
  } finally {
    await whileStopped(site, () => {
      fs.rmSync(folder);
      fs.renameSync(aside, folder);
    });
  }
};

/** Every call on the folder fails with the same error. */
const callsFail: Fault = async (site) => {
  const code = site.random.of(codes);
  fs.writeFileSync(`${site.folder}.fault`, code);
  try {
    await gainsNothing(site, code);
  } finally {
    fs.rmSync(`${site.folder}.fault`);
  }
};

/** Faults of the storage that end no program, and lose nothing. */
export const storageFaults: Readonly<Record<string, Fault>> = {
  ...(process.platform === 'linux' && { mountGoes }),
  callsFail,
};
