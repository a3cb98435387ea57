import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FixtureSaver } from '../../../src/editor/deliveries/fixtures/fixtureSaver.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';

describe('a fixture that is saved', () => {
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const file = join(root, 'a file');
  const folder = join(root, 'kept here');
  const delivery = deliveryOf('d-1');
  let prompts: AnsweredPrompts;
  let saver: FixtureSaver;

  beforeEach(async () => {
    await writeFile(file, 'not a folder');
    prompts = new AnsweredPrompts();
    saver = new FixtureSaver(prompts, new MemoryMemento());
  });
  afterEach(async () => {
    for (const path of [file, folder]) await rm(path, { recursive: true, force: true });
  });

  const save = async (): Promise<string> => (await saver.save(delivery, true)).fsPath;
  const refused = (error: unknown): boolean =>
    error instanceof UserError && /a file.*could not be written/.test(error.message);

  it('asks for the folder again where nothing can be written into it', async () => {
    prompts.answers = ['a file', 'kept here'];
    await assert.rejects(save(), refused);
    assert.match(await readFile(await save(), 'utf8'), /"method": "POST"/);
    await save();
    assert.equal(prompts.asked.length, 2);
  });

  it('asks for it again where the folder has become a file', async () => {
    prompts.answers = ['kept here', 'a file', 'kept here'];
    await save();
    await rm(folder, { recursive: true });
    await writeFile(folder, '');
    await assert.rejects(save());
    await rm(folder);
    await assert.rejects(save(), refused);
    await mkdir(folder);
    assert.equal(await save(), join(folder, 'delivery-d-1.delivery.json'));
  });
});
