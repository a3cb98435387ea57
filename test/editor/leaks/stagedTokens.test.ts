import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import * as vscode from 'vscode';
import type { GitRepository as OpenRepository, KnownGit } from '../../../src/editor/leaks/editorGit.ts';
import { StagedWatch } from '../../../src/editor/leaks/stagedWatch.ts';
import { GitRepository } from '../../support/files/gitRepository.ts';
import { EditorGit } from '../../../src/editor/leaks/editorGit.ts';
import { folder, leaveGit, remove, useGit } from './leakWarnings.ts';

const token = 'a-staged-token-4711';
const secret = 'a-staged-secret-0815';
const needles = {
  read: () => Promise.resolve({ tokens: [token], webhookSecrets: [secret], projectIds: [] }),
  onDidChange: new vscode.EventEmitter<void>().event,
};
const log = vscode.window.createOutputChannel('Staged Tokens', { log: true });

describe('a token in what is staged', () => {
  const told = new EventEmitter<{ told: [string, string[]] }>();
  const next = () => new Promise<string>((resolve) => told.once('told', (message) => resolve(message)));
  let answer: string | undefined;
  const tell = (message: string, ...buttons: string[]) => {
    told.emit('told', message, buttons);
    return Promise.resolve(answer);
  };

  describe('of the repository of the workspace', () => {
    const git = new EditorGit();
    let repository: GitRepository;
    let opened: { status(): Promise<void> };
    let watch: StagedWatch;

    before(async () => {
      repository = new GitRepository(folder().fsPath);
      opened = await useGit();
      watch = new StagedWatch({ git, needles, tell, log });
    });
    after(async () => {
      watch.dispose();
      git.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await leaveGit();
      await remove('staged', '.git');
    });

    it('is warned of before it is committed, and shown', async () => {
      repository.write('staged/app.env', `A=1\nTOKEN=${token}\n`);
      answer = 'Show';
      const warned = next();
      const shown = new Promise<vscode.TextEditor>((resolve) => {
        const changes = vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
          if (selections[0]!.isEmpty) return;
          changes.dispose();
          resolve(textEditor);
        });
      });
      repository.git('add', 'staged/app.env');
      await opened.status();
      assert.equal(
        await warned,
        'The next commit would hold a token of a service account, in staged/app.env. ' +
          'Move it to the secret store and stage the file again.',
      );
      const editor = await shown;
      assert.equal(editor.document.getText(editor.selection), token);
      answer = undefined;
    });
  });

  describe('of repositories that change often', () => {
    const changed = new vscode.EventEmitter<void>();
    let repository: GitRepository;
    let watch: StagedWatch;
    let staged: string[];
    let failures: number;

    beforeEach(async () => {
      repository = new GitRepository();
      const followed = Promise.withResolvers<undefined>();
      staged = [];
      failures = 0;
      const open: OpenRepository = {
        rootUri: vscode.Uri.file(repository.folder),
        state: {
          get indexChanges() {
            return staged.map((name) => ({ uri: vscode.Uri.file(repository.path(name)) }));
          },
          onDidChange: (...given) => {
            followed.resolve(undefined);
            return changed.event(...given);
          },
        },
      };
      const known = () => {
        if (failures-- > 0) return Promise.reject(new Error('git does not answer'));
        return Promise.resolve({ program: 'git', repositories: [open] });
      };
      const git = { known, onDidChange: new vscode.EventEmitter<void>().event };
      watch = new StagedWatch({ git, needles, tell, log });
      await followed.promise;
    });
    afterEach(() => {
      watch.dispose();
      repository.remove();
    });

    const stage = (name: string, text: string) => {
      repository.write(name, text);
      repository.git('add', name);
      if (!staged.includes(name)) staged.push(name);
      changed.fire();
    };

    it('is warned of once for each file and token, whatever else changes', async () => {
      const messages: string[] = [];
      const listen = (message: string) => void messages.push(message);
      told.on('told', listen);
      let warned = next();
      stage('one.txt', token);
      assert.match(await warned, /a token of a service account, in .*one\.txt/);
      stage('one.txt', `${token} and more`);
      changed.fire();
      warned = next();
      stage('one.txt', `${token} ${secret}`);
      assert.match(await warned, /a webhook secret, in .*one\.txt/);
      warned = next();
      stage('two.txt', token);
      assert.match(await warned, /token of a service account, in .*two\.txt/);
      assert.equal(messages.length, 3);
      told.off('told', listen);
    });

    it('is looked for no more after it has ended, not where it waits for git then either', async () => {
      const asked = Promise.withResolvers<KnownGit>();
      let subscriptions = 0;
      const state: OpenRepository['state'] = {
        indexChanges: [],
        onDidChange: (...given) => {
          subscriptions += 1;
          return changed.event(...given);
        },
      };
      const rootUri = vscode.Uri.file(repository.folder);
      const late = { rootUri, state };
      const known = () => asked.promise;
      const git = { known, onDidChange: new vscode.EventEmitter<void>().event };
      new StagedWatch({ git, needles, tell, log }).dispose();
      asked.resolve({ program: 'git', repositories: [late] });
      await asked.promise;
      await Promise.resolve();
      assert.equal(subscriptions, 0);
    });

    it('is one warning where there are several at a time', async () => {
      for (const name of ['a.txt', 'b.txt', 'c.txt']) {
        repository.write(name, `${token} ${secret}`);
        staged.push(name);
      }
      repository.git('add', '.');
      const warned = next();
      changed.fire();
      assert.match(await warned, /tokens or webhook secrets, in 3 files: .*a\.txt is one of them\./);
    });

    it('is warned of after git has failed to answer', async () => {
      const warned = next();
      failures = 1;
      stage('one.txt', token);
      stage('two.txt', '');
      await warned;
    });
  });
});
