import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sender } from '../support/listener/sender.ts';
import { commandLineEntry } from '../support/processes/entryPoints.ts';
import { UnreadTerminal } from '../support/processes/unreadTerminal.ts';
import { readKeptDeliveries } from './keptDeliveries.ts';
import type { Fault } from './site.ts';

const secret = 'the secret of the terminal';
/** More than the buffer of a terminal holds. */
const count = 100;
const body = JSON.stringify({ text: 'x'.repeat(500) });

/** `runhook listen` in a terminal that is not read: it answers, keeps and ends all the same. */
const terminalIsNotRead: Fault = async ({ random, fail }) => {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-unread-'));
  const command = [process.execPath, commandLineEntry, 'listen', '--store', folder, '--secret-env', 'HELD'];
  const format = random.of([[], ['--json']]);
  const terminal = await UnreadTerminal.start([...command, ...format], { HELD: secret });
  const sender = new Sender(Number(/127\.0\.0\.1:(\d+)/.exec(terminal.line)?.[1]), secret);
  try {
    const requests = Array.from({ length: count }, (_, at) => sender.deliver(`unread-${at}`, body));
    const refused = (await Promise.all(requests)).filter((status) => status !== 200);
    if (refused.length > 0)
      fail(`${refused.length} deliveries were refused while the terminal was not read.`);
    const code = await terminal.terminate();
    if (code !== 0) fail(`It ended with ${String(code)} while the terminal was not read.`);
    const kept = readKeptDeliveries(join(folder, 'deliveries')).length;
    if (kept !== count) fail(`${kept} of ${count} deliveries were kept while the terminal was not read.`);
  } finally {
    terminal.kill();
    sender.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Windows has no such terminals. */
export const terminalFaults: Readonly<Record<string, Fault>> = {
  ...(process.platform !== 'win32' && { terminalIsNotRead }),
};
