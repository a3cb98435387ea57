import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/contract/commands.ts';
import { settingsAddresses } from '../../../src/editor/appSettings/settingsDocuments.ts';
import { deliveryAddresses, shownIn } from '../../../src/editor/deliveries/deliveryUri.ts';
import { lazyDocuments, type FileDocuments } from '../../../src/editor/kit/documents.ts';
import { answerAddresses, askedOf } from '../../../src/editor/run/answers/answerDocument.ts';
import { evaluateWhen } from '../../support/editor/whenClause.ts';

const { extensionPath } = vscode.extensions.getExtension('runhook.runhook')!;
const { contributes } = JSON.parse(readFileSync(join(extensionPath, 'package.json'), 'utf8')) as {
  contributes: { menus: Record<'editor/title', { command: string; when: string }[]> };
};

describe('the addresses of documents', () => {
  const delivery = {
    id: 'a/b %41',
    part: 'compared',
    title: 'GET /x 12:00',
    of: '2026-01-02T03:04:05.678Z&',
  } as const;

  it('are read as they were written', () => {
    const uri = vscode.Uri.parse(deliveryAddresses.uri(delivery).toString(), true);
    assert.equal(uri.path, '/runhook/a%2Fb%20%2541/compared/GET ∕x 12:00');
    assert.deepEqual(deliveryAddresses.argument(uri), { ...delivery, title: 'GET ∕x 12:00' });
    const text = '{ "url": "https://a.example/?b=%41&c#d" }';
    const settings = settingsAddresses.uri({ title: 'before 1/2', text });
    assert.equal(settings.path, '/before 1∕2.json');
    assert.deepEqual(settingsAddresses.argument(vscode.Uri.parse(settings.toString(), true)), {
      title: 'before 1∕2',
      text,
    });
  });

  it('of earlier versions are still read', () => {
    const read = (text: string) => vscode.Uri.parse(text, true);
    assert.deepEqual(askedOf(read('runhook-answer:/echo?run-1')), {
      id: 'run-1',
      part: 'response',
      title: 'echo',
    });
    assert.deepEqual(askedOf(read('runhook-answer:/body/echo?run-2%26run-1')), {
      ...{ id: 'run-2', part: 'body', title: 'echo' },
      first: 'run-1',
    });
    assert.deepEqual(shownIn(read('runhook-delivery:/runhook/d-1/body/Body of echo')), {
      id: 'd-1',
      part: 'body',
    });
  });

  it('are those that the manifest names: a response, a delivery and a draft have their buttons', () => {
    const buttons = (uri: vscode.Uri): string[] =>
      contributes.menus['editor/title']
        .filter(({ when }) => evaluateWhen(when, { resourceScheme: uri.scheme, resourcePath: uri.path }))
        .map(({ command }) => command);
    const of = { id: 'd-1', title: 'echo 12:00' };
    assert.ok(buttons(answerAddresses.uri({ ...of, part: 'response' })).includes(commandIds.runAgain));
    assert.ok(
      buttons(deliveryAddresses.uri({ ...of, part: 'delivery' })).includes(commandIds.explainDelivery),
    );
    assert.ok(buttons(deliveryAddresses.uri({ ...of, part: 'draft' })).includes(commandIds.sendDraftSigned));
    assert.deepEqual(buttons(answerAddresses.uri({ ...of, part: 'payload' })), []);
  });

  it('of other documents say nothing', () => {
    assert.equal(deliveryAddresses.argument(vscode.Uri.file('/runhook/d-1/delivery/echo')), undefined);
    assert.equal(shownIn(vscode.Uri.parse('runhook-delivery:/runhook/d-1/other/echo', true)), undefined);
  });
});

describe('documents that are loaded when the first is opened', () => {
  it('are files that cannot be written, but those that say so', async () => {
    const scheme = 'runhook-kit-test';
    const bytes = new TextEncoder().encode('{}');
    const written: string[] = [];
    const documents: FileDocuments = {
      onDidChange: new vscode.EventEmitter<readonly vscode.Uri[]>().event,
      read: ({ path }) => Promise.resolve({ bytes, ctime: 1, mtime: 2, isWritable: path === '/draft' }),
      write: ({ path }, given) => Promise.resolve(void written.push(path, new TextDecoder().decode(given))),
    };
    const lazy = lazyDocuments(scheme, () => {
      lazy.fill(documents);
      return Promise.resolve();
    });
    const file = (path: string) => vscode.Uri.from({ scheme, path });
    const kept = await vscode.workspace.fs.stat(file('/kept'));
    assert.deepEqual(
      [kept.size, kept.ctime, kept.mtime, kept.permissions],
      [2, 1, 2, vscode.FilePermission.Readonly],
    );
    assert.equal((await vscode.workspace.fs.stat(file('/draft'))).permissions, undefined);
    assert.deepEqual([...(await vscode.workspace.fs.readFile(file('/kept')))], [...bytes]);
    await vscode.workspace.fs.writeFile(file('/draft'), bytes);
    assert.deepEqual(written, ['/draft', '{}']);
    lazy.dispose();
  });
});
