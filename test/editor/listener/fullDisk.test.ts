import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Listener } from '../../../src/editor/listener/listener.ts';
import { statusLook } from '../../../src/editor/listener/status/statusLook.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { ownListener } from '../../support/editor/ownListener.ts';

describe('a listener whose store cannot be written', () => {
  let storage: string;
  let listener: Listener;
  let memento: MemoryMemento;
  const logged: string[] = [];

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'runhook-storage-'));
    memento = new MemoryMemento();
    listener = ownListener(storage, memento, (line) => logged.push(String(line)));
  });
  afterEach(async () => {
    await listener.stop();
    listener.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  /** What the status bar shows. */
  const look = () => statusLook(listener.state, { arrived: 0, toLookAt: 0 });

  it('gives no answer, says why in the status bar and the log, and recovers by itself', async () => {
    // A file where the folder should be: nobody, not even root, can write there.
    await writeFile(join(storage, 'deliveries'), '');
    const { url } = await listener.start({ port: 0 });
    const post = async (): Promise<number | undefined> =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => undefined,
      );
    assert.equal(await post(), undefined);
    await eventually(() => (look()?.background === 'error' ? true : undefined));
    assert.match(look()?.text ?? '', /^\$\(error\) \d+$/);
    assert.match(
      look()?.tooltip ?? '',
      /Deliveries cannot be stored, so the listener does not respond to them: (something with that name already exists|a part of its path is not a folder)/,
    );
    assert.match(logged.join('\n'), /Deliveries cannot be kept: .*(already exists|not a folder)/);
    await rm(join(storage, 'deliveries'));
    assert.equal(await post(), 200);
    await eventually(() => (look()?.background === undefined ? true : undefined));
    assert.equal((await listener.list()).length, 1);
    // The next window of this workspace is told of what comes after that.
    await eventually(async () => {
      await post();
      return memento.get<number>('listener.told');
    });
  });
});
