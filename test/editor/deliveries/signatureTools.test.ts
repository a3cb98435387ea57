import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerPromptsCommand } from '../../../src/editor/kit/scriptedPrompts.ts';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { verificationTargets } from '../../../src/service/signature/verificationCode.ts';
import { Receiver } from '../../support/http/receiver.ts';
import {
  answerPrompts,
  eventually,
  expectMessage,
  setSetting,
  shownMessages,
} from '../../support/editor/inEditor.ts';

const run = <T>(command: string, argument?: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(`runhook.${command}`, argument);

const answer = (...answers: unknown[]) => vscode.commands.executeCommand(answerPromptsCommand, answers);

function shown(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document);
  return document;
}

describe('signature tools', () => {
  const secret = 'kept by the listener';
  const body = '{"run_id":"r-9"}';
  const timestamp = '1790000000';
  const pasted = (key: string) =>
    [
      'POST / HTTP/1.1',
      'X-Request-Id: req-1',
      `X-Acme-Webhook-Timestamp: ${timestamp}`,
      `X-Acme-Webhook-Signature: v1,${sign(key, 'req-1', timestamp, Buffer.from(body))}`,
      '',
      body,
    ].join('\n');

  before(() => run('setWebhookSecret', { secret }));

  afterEach(() =>
    // On a busy machine one of them may come to the front again, over the editor that the next test opens.
    eventually(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      // Of an editor whose tab is gone the window may go on to tell for minutes.
      return vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0) ? true : undefined;
    }),
  );

  async function open(content: string, language = 'plaintext'): Promise<void> {
    // Where the one before is still closing, its text may come again under the name that both have.
    const document = await eventually(async () => {
      const opened = await vscode.workspace.openTextDocument({ language, content });
      return opened.getText() === content ? opened : undefined;
    });
    // One that is still closing may take the focus from it.
    await eventually(async () => {
      await vscode.window.showTextDocument(document);
      return vscode.window.activeTextEditor?.document === document ? true : undefined;
    });
  }

  /**
   * Waits until a text in an editor is found right. On a busy machine an editor that closes may still come over it, and
   * is judged in its place.
   */
  const isRight = (content: string, ...answers: string[]): Promise<true> =>
    eventually(async () => {
      await open(content);
      await answer(...answers);
      const text = await run<string | undefined>('verifySignature');
      return text?.startsWith('The signature matches.') === true ? true : undefined;
    });

  describe('Verify a Signature', () => {
    it('judges headers and body given as an argument', async () => {
      const headers = {
        'X-Request-Id': 'req-1',
        'X-Service-Webhook-Timestamp': timestamp,
        'X-Service-Webhook-Signature': `v1,${sign('other', 'req-1', timestamp, Buffer.from(body))}`,
      };
      const right = await run<string>('verifySignature', { headers, body, secret: 'other' });
      assert.match(right, /^The signature matches\./);
      const wrong = await run<string>('verifySignature', { headers, body: `${body}\n`, secret: 'other' });
      assert.match(wrong, /Newline after body: it was added/);
      const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const isPage = ({ input }: vscode.Tab) => input instanceof vscode.TabInputWebview;
      assert.equal((await eventually(() => tabs().find(isPage))).label, 'Verify a Signature');
    });

    it('judges what is pasted into the open editor, under the secret of the listener', async () => {
      await isRight(pasted(secret), 'Default secret');
    });

    it('asks for another secret', async () => {
      await isRight(pasted('whsec_c2VjcmV0'), 'Another secret…', 'whsec_c2VjcmV0');
    });

    it('opens an editor to paste into where the open one holds no signature', async () => {
      await open('nothing: here');
      assert.equal(await run('verifySignature'), undefined);
      const template = shown();
      assert.match(template.getText(), /Paste the headers of a webhook here/);
      // It is shown again, not doubled, and what is pasted into it is judged.
      await open('something: else');
      assert.equal(await run('verifySignature'), undefined);
      assert.equal(shown(), template);
      const pastedIn = new vscode.WorkspaceEdit();
      pastedIn.insert(
        template.uri,
        template.lineAt(template.lineCount - 1).range.end,
        'X-Request-Id: abc\n\n{}',
      );
      await vscode.workspace.applyEdit(pastedIn);
      await expectMessage(run('verifySignature'), /There is no header X-Service-Webhook-Signature here\./);
      assert.equal(shown(), template);
    });
  });

  describe('Insert Verification Code', () => {
    it('opens the code as a file of its language', async () => {
      const code = await run<string>('insertVerificationCode', { target: 'flask' });
      assert.match(code, /def verify_webhook[\s\S]*@app\.post/);
      assert.equal(shown().getText(), code);
      assert.equal(shown().languageId, 'python');
    });

    it("begins a new file with the cursor where the user's own code goes", async () => {
      for (const { id } of verificationTargets) {
        await run('insertVerificationCode', { target: id, newFile: true });
        const { document, selection } = vscode.window.activeTextEditor!;
        const line = document.lineAt(selection.active).text;
        // The function alone leaves all else to the user.
        if (id.startsWith('function')) assert.equal(selection.active.line, 0);
        else assert.match(line, /["']Delivery/);
      }
    });

    it('has a name that fits, and that no other file has', async () => {
      const names: string[] = [];
      for (const target of ['node', 'nodeJs', 'expressJs', 'functionJs', 'flask', 'java']) {
        await run('insertVerificationCode', { target, newFile: true });
        names.push(vscode.workspace.asRelativePath(shown().uri.fsPath));
      }
      const fitting = ['handler.ts', 'handler.mjs', 'handler2.mjs', 'verify.mjs', 'flask_app.py'];
      assert.deepEqual(names, [...fitting, 'WebhookReceiver.java']);
    });

    it('has the route that deliveries are forwarded to', async () => {
      await setSetting('listener.forwardTo', 'http://127.0.0.1:4100/hooks/runs');
      try {
        assert.match(
          await run<string>('insertVerificationCode', { target: 'fastapi' }),
          /@app\.post\("\/hooks\/runs"\)/,
        );
      } finally {
        await setSetting('listener.forwardTo', undefined);
      }
    });

    it('inserts it into an open file of that language that is empty, and leaves one alone that has code', async () => {
      await open('\n', 'php');
      const code = await run<string>('insertVerificationCode', { target: 'php' });
      assert.equal(shown().getText(), code);
      await open('<?php\n', 'php');
      const other = shown();
      await answer('PHP');
      await run('insertVerificationCode');
      assert.equal(other.getText(), '<?php\n');
      assert.equal(shown().getText(), code);
    });

    it("adds its route to the file's own app of Express, and puts nothing into the middle of a statement", async () => {
      const before =
        "var express = require('express'),\n    app = express();\n\napp.get('/', (q, s) => {\n  s.end();\n});\n";
      await open(before, 'javascript');
      const editor = vscode.window.activeTextEditor!;
      editor.selection = new vscode.Selection(4, 2, 4, 2);
      await run('insertVerificationCode', { target: 'expressJs' });
      const [text, [head = '', rest = '']] = [editor.document.getText(), before.split('\n\n')];
      assert.ok(text.startsWith(head) && text.includes(rest), text);
      assert.doesNotMatch(text, /const app =|app\.listen/);
    });

    it('puts imports at the top and the rest at the cursor, in one step that can be undone', async () => {
      const before = "#!/usr/bin/env node\nimport { createHmac } from 'node:crypto';\n\nrun();\n";
      await open(before, 'typescript');
      const editor = vscode.window.activeTextEditor!;
      const end = editor.document.positionAt(before.length);
      editor.selection = new vscode.Selection(end, end);
      await answer('TypeScript: the function alone');
      await run('insertVerificationCode');
      const imports =
        "import { createHmac } from 'node:crypto';\nimport { timingSafeEqual } from 'node:crypto';\n";
      const text = editor.document.getText();
      assert.ok(text.startsWith(`#!/usr/bin/env node\n${imports}\nrun();\ntype Header`), text);
      assert.match(text, /export function verifyWebhook/);
      await vscode.commands.executeCommand('undo');
      assert.equal(editor.document.getText(), before);
    });

    it('begins a line where the last one of the file has no end', async () => {
      for (const before of ["import express from 'express'", '#!/usr/bin/env node', "'use strict'"]) {
        await open(before, 'javascript');
        const editor = vscode.window.activeTextEditor!;
        const end = editor.document.positionAt(before.length);
        editor.selection = new vscode.Selection(end, end);
        await run('insertVerificationCode', { target: 'functionJs' });
        const [first, second = ''] = editor.document.getText().split('\n');
        assert.equal(first, before);
        assert.match(second, /^import \{/);
      }
    });

    it('opens a new file beside one that fits only when it is asked to', async () => {
      await open('run();\n', 'javascript');
      const other = shown();
      const code = await run<string>('insertVerificationCode', { target: 'functionJs', newFile: true });
      assert.equal(other.getText(), 'run();\n');
      assert.equal(shown().getText(), code);
      assert.equal(shown().languageId, 'javascript');
    });

    it('offers what was picked the last time first', async () => {
      await open('', 'plaintext');
      await answer({ kept: true });
      assert.match(await run<string>('insertVerificationCode'), /export function verifyWebhook/);
    });

    it('rejects what there is no code for', async () => {
      for (const target of ['fetch', 'java']) {
        assert.match(await run<string>('insertVerificationCode', { target }), /WEBHOOK_SECRET/);
      }
      await assert.rejects(run('insertVerificationCode', { target: 'cobol' }) as Promise<unknown>, Error);
    });
  });

  describe('Send Fixture', () => {
    before(async () => {
      await run('startListener', { port: 0 });
      await run('clearDeliveries', {});
    });

    after(async () => {
      await run('clearDeliveries', {});
      await run('stopListener');
    });

    it('sends a saved delivery, signed now', async () => {
      await run('sendTestDelivery', { body: { run_id: 'r-fixture' } });
      const [delivery] = await run<WholeDelivery[]>('listDeliveries', { limit: 1 });
      const uri = await run<string>('saveDeliveryAsFixture', { id: delivery!.id });
      const { status } = await run<{ status: number }>('sendFixture', { uri });
      assert.equal(status, 200);
      const [newest] = await run<WholeDelivery[]>('listDeliveries', { limit: 1 });
      assert.equal(newest!.verdict, 'verified');
      assert.equal(newest!.body, delivery!.body);
    });

    it('leads on where the handler failed, and says what its tests send instead', async () => {
      const app = await Receiver.start();
      app.behaviours = [(_, response) => response.writeHead(500).end('TypeError: no prompt')];
      await setSetting('listener.routes', { billing: app.url });
      const folder = vscode.workspace.workspaceFolders![0]!.uri;
      const uri = vscode.Uri.joinPath(folder, 'sent-by-a-click.delivery.json');
      const sentByClick = async (file: object) => {
        await vscode.workspace.fs.writeFile(
          uri,
          Buffer.from(JSON.stringify({ app: 'billing', body: 1, ...file })),
        );
        await shownMessages();
        await answerPrompts('sent-by-a-click.delivery.json');
        await vscode.commands.executeCommand('runhook.sendFixture');
        return (await shownMessages()).map(({ message, verbs }) => [message, ...verbs].join(' | '));
      };
      try {
        const [failed = ''] = await sentByClick({});
        assert.match(
          failed,
          /^Your handler returned 500 in .*\. It responded: TypeError: no prompt\. \| Try Again \| Show Tests$/,
        );
        app.behaviours = [];
        const [other = ''] = await sentByClick({ variants: ['stale', 'bad-signature'] });
        assert.match(
          other,
          /^Your handler returned 200 in .*\. The fixture was sent as it is\. Its tests send it as stale, bad-signature\. \| Show Tests$/,
        );
        const [asItIs = ''] = await sentByClick({ variants: ['as it is', 'stale'] });
        assert.match(asItIs, /^Your handler returned 200 in \S+ \S+\. \| Show Tests$/);
      } finally {
        await vscode.workspace.fs.delete(uri);
        await setSetting('listener.routes', undefined);
        await app.close();
      }
    });

    it('goes to the app that it is of, at its own path', async () => {
      const app = await Receiver.start();
      const route = (routes?: object) => setSetting('listener.routes', routes);
      try {
        await route({ billing: app.url });
        const folder = vscode.workspace.workspaceFolders![0]!.uri;
        const uri = vscode.Uri.joinPath(folder, 'of-an-app.delivery.json');
        const file = { app: 'billing', path: '/webhooks', body: 1 };
        await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify(file)));
        await run('sendFixture', { uri: uri.toString() });
        await run('sendFixture', { uri: uri.toString(), to: `${app.url}/hook` });
        await vscode.workspace.fs.delete(uri);
        assert.deepEqual(
          app.received.map(({ path }) => path),
          ['/webhooks', '/hook'],
        );
      } finally {
        await route();
        await app.close();
      }
    });

    it('asks before it signs a file of the workspace for another machine, for each file, text and address', async () => {
      const app = await Receiver.start();
      try {
        const { port } = new URL(app.url);
        const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'of-a-stranger.json');
        const write = (text: string) =>
          vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify({ body: text })));
        const send = (to: string, more = {}) => run('sendFixture', { uri: uri.toString(), to, ...more });
        await write('{"run_id":"forged"}');
        const elsewhere = `http://0.0.0.0:${port}/hook`;
        const refused = async (to: string, more = {}) => {
          await answer(false);
          await assert.rejects(send(to, more) as Promise<unknown>, /Nothing was sent/);
        };
        await refused(elsewhere);
        await refused(elsewhere, { resign: false });
        assert.equal(app.received.length, 0);
        await answer(true);
        await send(elsewhere);
        await send(elsewhere);
        assert.equal(app.received.length, 2);
        await refused(`${elsewhere}/other`);
        await write('{"run_id":"forged anew"}');
        await refused(elsewhere);
        await setSetting('listener.forwardTo', elsewhere);
        await refused(elsewhere);
        await setSetting('listener.forwardTo', undefined);
        assert.equal(app.received.length, 2);
        await send(`http://127.0.0.1:${port}/hook`);
        assert.equal(app.received.length, 3);
      } finally {
        await app.close();
      }
    });

    it('does not even read a file that is too large', async () => {
      let reads = 0;
      const refused = (): never => {
        throw vscode.FileSystemError.NoPermissions();
      };
      const provider: vscode.FileSystemProvider = {
        onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
        watch: () => new vscode.Disposable(() => undefined),
        stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: 17 * 1024 * 1024 }),
        readFile: () => {
          reads += 1;
          return Buffer.from('{"body": 1}');
        },
        readDirectory: refused,
        createDirectory: refused,
        writeFile: refused,
        delete: refused,
        rename: refused,
      };
      const registered = vscode.workspace.registerFileSystemProvider('large-files', provider);
      const uri = 'large-files:/large.delivery.json';
      await assert.rejects(run('sendFixture', { uri }) as Promise<unknown>, /larger than 16 MiB/);
      assert.equal(reads, 0);
      registered.dispose();
    });

    it('rejects a file that is none', async () => {
      const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'none.json');
      await assert.rejects(run('sendFixture', { uri: uri.toString() }) as Promise<unknown>, /cannot be read/);
      await vscode.workspace.fs.writeFile(uri, Buffer.from('[]'));
      await assert.rejects(run('sendFixture', { uri: uri.toString() }) as Promise<unknown>, /not a fixture/);
    });
  });
});
