import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { showDocument } from '../../../src/editor/kit/showDocument.ts';

describe('documents that are shown at one moment', () => {
  const { showTextDocument } = vscode.window;
  afterEach(() => void Object.assign(vscode.window, { showTextDocument }));

  it('open one after the other, also after one that does not', async () => {
    const seen: string[] = [];
    const show = async ({ path }: vscode.Uri) => {
      seen.push(`${path} opens`);
      await setImmediate();
      seen.push(`${path} is done`);
      if (path === '/a') throw new Error('Could NOT open editor');
      return path;
    };
    Object.assign(vscode.window, { showTextDocument: show });
    const [a, b, c] = ['/a', '/b', '/c'].map((path) => showDocument(vscode.Uri.file(path)));
    await assert.rejects(a!, /Could NOT open/);
    assert.deepEqual(await Promise.all([b, c]), ['/b', '/c']);
    assert.deepEqual(
      seen,
      ['/a', '/b', '/c'].flatMap((path) => [`${path} opens`, `${path} is done`]),
    );
  });
});
