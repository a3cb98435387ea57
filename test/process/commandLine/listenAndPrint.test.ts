import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenAndPrint } from '../../../src/commandLine/commands/listenCommand.ts';
import { initialSettings } from '../../../src/listener/intake/initialSettings.ts';
import { Sender } from '../../support/listener/sender.ts';

const secret = 'a secret of the test';

describe('what listens on the command line', () => {
  let parent: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('goes on where its folder cannot be used in the moment after it has said that it listens', async () => {
    const folder = join(parent, 'store');
    let port = 0;
    const end = await listenAndPrint({
      folder,
      port: 0,
      settings: { ...initialSettings, isPublic: false, secrets: [{ secret, owner: { kind: 'default' } }] },
      isJson: true,
      onListening: (actualPort) => {
        port = actualPort;
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
      onReplaced: () => assert.fail('nobody else listens for the folder'),
    });
    rmSync(folder);
    const sender = new Sender(port, secret);
    assert.equal(await sender.deliver('r-1', '{}'), 200);
    sender.close();
    await end();
  });
});
