import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachProgram } from '../../../../src/listener/attach/attachProgram.ts';
import { controlFileName, programFolder } from '../../../../src/listener/attach/controlFile.ts';
import { protocolVersion } from '../../../../src/deliveries/listenerProtocol.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';
import { ignoringHandlers } from '../../../support/listener/ignoringHandlers.ts';
import { processSettings } from '../../../support/listener/listenerProcess.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

describe('a window of a newer version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-attach-'));
  const inFolder = (name: string): string => join(folder, name);
  /** Stands in for the program of the older version: closes each connection. */
  const old = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  let connections = 0;

  before((done) => {
    mkdirSync(inFolder(programFolder));
    const control = { protocol: protocolVersion, version: '1.0.0', socket: inFolder('s'), key: 'k' };
    writeFileSync(inFolder(join(programFolder, controlFileName)), JSON.stringify(control));
    old.listen(control.socket, done);
  });

  after((done) => {
    rmSync(folder, { recursive: true });
    old.close(done);
  });

  it('connects to the older program once the next one is up: who connects has to speak within 5 seconds', async () => {
    // Is up when it is told to be. The second one fails, which ends the attempt.
    writeFileSync(
      inFolder('entry.mjs'),
      `import { existsSync, writeFileSync } from 'node:fs';
      if (existsSync(${JSON.stringify(inFolder('started'))})) process.exit(1);
      writeFileSync(${JSON.stringify(inFolder('started'))}, '');
      const look = setInterval(() => {
        if (!existsSync(${JSON.stringify(inFolder('go'))})) return;
        clearInterval(look);
        console.log('{"kind":"waiting"}');
      }, 10);`,
    );
    const attaching = attachProgram({
      entry: inFolder('entry.mjs'),
      folder,
      version: '2.0.0',
      replaces: true,
      hello: () => Promise.resolve({ settings: processSettings, messages: {} }),
      handlers: ignoringHandlers,
    });
    attaching.catch(() => undefined);
    await waitFor('the start of the next one', () => existsSync(inFolder('started')));
    assert.equal(connections, 0);
    writeFileSync(inFolder('go'), '');
    await assert.rejects(attaching, /It ended with code 1/);
    assert.equal(connections, 1);
  });
});

describe('a window whose folder has a program that left no way to it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-attach-'));
  after(() => rmSync(folder, { recursive: true }));

  it('tries a few times to start one, and says that it does not answer', async () => {
    const entry = join(folder, 'entry.mjs');
    const starts = join(folder, 'starts');
    writeFileSync(
      entry,
      `import { appendFileSync } from 'node:fs';
      appendFileSync(${JSON.stringify(starts)}, '.');
      console.log('{"kind":"taken"}');`,
    );
    const attaching = attachProgram({
      ...{ entry, folder, version: '1.0.0', replaces: false, answerSeconds: 3 },
      hello: () => Promise.resolve({ settings: processSettings, messages: {} }),
      handlers: ignoringHandlers,
    });
    await assert.rejects(
      attaching,
      (error) => error instanceof UserError && /does not respond/.test(error.message),
    );
    assert.ok(readFileSync(starts).length <= 10, `${readFileSync(starts).length} starts`);
  });
});
