import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type ApiKeysPage, apiKeysLink, openApiKeysPage } from '../../../src/editor/projects/apiKeysPage.ts';
import { DeclinedError } from '../../../src/editor/kit/prompts.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;
const settings = () => vscode.workspace.getConfiguration('runhook');
const set = async (value: string | undefined, target: vscode.ConfigurationTarget) =>
  settings().update('dashboardUrl', value, target);

describe('the API keys page', () => {
  let opened: string[];
  let prompts: AnsweredPrompts;
  let page: ApiKeysPage;

  beforeEach(() => {
    opened = [];
    prompts = new AnsweredPrompts();
    const open = (uri: vscode.Uri) => Promise.resolve(opened.push(uri.toString(true)));
    page = { prompts, state: new MemoryMemento(), open };
  });
  afterEach(async () => {
    await set(undefined, Global);
    await set(undefined, Workspace);
  });

  it('is opened as the user has set it, without a question', async () => {
    await set('https://dashboard.example/keys?tab=1', Global);
    await openApiKeysPage(page);
    assert.deepEqual(opened, ['https://dashboard.example/keys?tab=1']);
    assert.deepEqual(prompts.asked, []);
  });

  it('is asked for where it is not set, and kept in the user settings', async () => {
    assert.deepEqual(apiKeysLink(), {});
    prompts.answers = [' https://dashboard.example/keys '];
    await openApiKeysPage(page);
    assert.deepEqual(opened, ['https://dashboard.example/keys']);
    assert.equal(settings().inspect('dashboardUrl')?.globalValue, 'https://dashboard.example/keys');
    assert.equal(apiKeysLink().link?.title, 'Open API Keys Page');
  });

  it('is neither set nor opened where the user gives none', async () => {
    prompts.answers = [undefined];
    await assert.rejects(openApiKeysPage(page), DeclinedError);
    assert.deepEqual(opened, []);
    assert.equal(settings().inspect('dashboardUrl')?.globalValue, undefined);
  });

  it('asks before it opens what the workspace names, once for each address', async () => {
    await set('https://dashboard.example', Global);
    await set('https://elsewhere.example/login', Workspace);
    prompts.answers = [false, true];
    await assert.rejects(openApiKeysPage(page), DeclinedError);
    assert.deepEqual(opened, []);
    await openApiKeysPage(page);
    await openApiKeysPage(page);
    assert.deepEqual(opened, ['https://elsewhere.example/login', 'https://elsewhere.example/login']);
    assert.equal(prompts.asked.length, 2);
    assert.match(
      prompts.asked[0]!,
      /^Open a page of elsewhere\.example, .*\n.*https:\/\/elsewhere\.example\/login/,
    );
    await set('https://elsewhere.example/other', Workspace);
    prompts.answers = [false];
    await assert.rejects(openApiKeysPage(page), DeclinedError);
    assert.equal(opened.length, 2);
  });

  it('opens nothing that is no page, whoever sets it', async () => {
    for (const target of [Global, Workspace]) {
      for (const text of ['command:runhook.reset', 'file:///etc/passwd', 'https://me@elsewhere.example']) {
        await set(text, target);
        await assert.rejects(openApiKeysPage(page), /is not an http or https address|contains a user name/);
      }
    }
    assert.deepEqual(opened, []);
    assert.deepEqual(prompts.asked, []);
  });

  it('is a command, which asks as well', async () => {
    await set('https://elsewhere.example/keys', Workspace);
    await vscode.commands.executeCommand('runhook.test.answerPrompts', [false]);
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand('runhook.openApiKeysPage', {})),
      /elsewhere\.example was not opened/,
    );
  });
});
