import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FixtureSaver } from '../../../src/editor/deliveries/fixtures/fixtureSaver.ts';
import { DeclinedError } from '../../../src/editor/kit/prompts.ts';
import { ScriptedPrompts } from '../../../src/editor/kit/scriptedPrompts.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';

describe('a fixture that is saved', () => {
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = join(root, 'a file');
  const folder = join(root, 'kept here');
  const delivery = deliveryOf('d-1');
  let prompts: ScriptedPrompts;
  let saver: FixtureSaver;

  beforeEach(async () => {
    await writeFile(file, 'not a folder');
    prompts = new ScriptedPrompts();
    saver = new FixtureSaver(prompts, new MemoryMemento());
  });
  afterEach(async () => {
    for (const path of [file, folder]) await rm(path, { recursive: true, force: true });
  });

  const save = async (): Promise<string> => (await saver.save(delivery, true)).fsPath;
  const refused = (error: unknown): boolean =>
    error instanceof UserError && /a file.*could not be written/.test(error.message);

  it('has the name that is typed, and the folder of the last one', async () => {
    const paid = join(folder, 'paid.delivery.json');
    prompts.script(['kept here/paid', { kept: true }]);
    assert.equal(await save(), paid);
    assert.match(await readFile(paid, 'utf8'), /"method": "POST"/);
    assert.equal(await save(), join(folder, 'delivery.delivery.json'));
    // What is there stays, unless the user agrees.
    await writeFile(paid, 'kept');
    prompts.script(['kept here/paid.delivery.json', false, 'kept here/paid', true]);
    await assert.rejects(save(), DeclinedError);
    assert.equal(await readFile(paid, 'utf8'), 'kept');
    assert.equal(await save(), paid);
    assert.match(await readFile(paid, 'utf8'), /"method": "POST"/);
    assert.deepEqual(prompts.script([]), []);
  });

  it('is proposed in the usual folder again where nothing can be written into the last one', async () => {
    prompts.script(['a file/paid', { kept: true }]);
    await assert.rejects(save(), refused);
    assert.match(await save(), /\.runhook[\\/]fixtures[\\/]delivery(-\d+)?\.delivery\.json$/);
  });
});
