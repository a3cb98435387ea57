import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import {
  answerPrompts,
  command,
  eventually,
  expectMessage,
  hideProjects,
  setSetting,
  typeText,
} from '../../../support/editor/inEditor.ts';
import { codeLenses } from '../../../support/editor/codeLenses.ts';
import { Receiver } from '../../../support/http/receiver.ts';

const project = { id: 'p-shared', serviceAccounts: [{ id: 'sa' }], apps: [{ id: 'greet' }, { id: 'twice' }] };
const other = { id: 'p-second', serviceAccounts: [{ id: 'sa' }], apps: [{ id: 'twice' }] };

describe('a run of a payload of the workspace', () => {
  let service: Receiver;
  let files = 0;
  const folder = (): string => vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  /** A payload file as a cloned repository brings it, of a name that no other test has. */
  async function fileWith(document: object, app = 'greet'): Promise<string> {
    const file = join(folder(), '.runhook/payloads', app, `brought-${(files += 1)}.payload.json`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `// ${app}\n${JSON.stringify(document)}`);
    return vscode.Uri.file(file).toString();
  }
  const bodies = (): unknown[] => service.received.map(({ body }) => JSON.parse(body.toString()) as unknown);
  const paths = (): string[] => service.received.map(({ path }) => path);

  before(async () => {
    await hideProjects();
    service = await Receiver.start();
    await setSetting('baseUrl', service.url);
    await setSetting('proxyUrl', service.url);
    for (const one of [project, other]) {
      await command('addProject', one);
      await command('setToken', { projectId: one.id, serviceAccountId: 'sa', token: 'token-of-the-tests' });
    }
  });
  beforeEach(() => service.received.splice(0));
  afterEach(async () => {
    await answerPrompts();
    delete process.env.PAYLOAD_REGION;
    delete process.env.PAYLOAD_OTHER;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    for (const { id } of [project, other]) await command('removeProject', { projectId: id });
    await setSetting('baseUrl', undefined);
    await setSetting('proxyUrl', undefined);
    await rm(join(folder(), '.runhook'), { recursive: true, force: true });
    await service.close();
  });

  it('asks for no app, and shows what it will do before the first time', async () => {
    const file = await fileWith({ $runhook: { webhook: false }, text: 'x' });
    await answerPrompts((question: string, detail: string) => {
      assert.match(question, /Run greet with \.runhook\/payloads\/greet\/brought/);
      assert.match(
        detail,
        /POST http:\/\/127\.0\.0\.1:\d+\/v4\/p-shared\/greet\/run\nThe response is not delivered/,
      );
      return true;
    });
    await command('runFile', { file });
    await command('runFile', { file });
    assert.deepEqual(bodies(), [{ text: 'x' }, { text: 'x' }]);
  });

  it('is of the app and project that the file names, over those of its folder', async () => {
    const block = { app: 'twice', project: other.id, webhook: false };
    const file = await fileWith({ $runhook: block }, 'nobody');
    await command('runFile', { file, confirmed: true });
    assert.deepEqual(paths(), ['/v4/p-second/twice/run']);
  });

  it('asks once whose app is meant where several projects have one of that name', async () => {
    const file = await fileWith({ $runhook: { webhook: false } }, 'twice');
    await answerPrompts('twice');
    await command('runFile', { file, confirmed: true });
    await command('runFile', { file, confirmed: true });
    const [first, second] = paths();
    assert.equal(first, second);
    // From its row under the other project it is that one's, and stays so.
    const projectId = first === '/v4/p-shared/twice/run' ? other.id : project.id;
    await command('runFile', { file, projectId, appName: 'twice', confirmed: true });
    await command('runFile', { file, confirmed: true });
    assert.deepEqual(paths().slice(2), Array(2).fill(`/v4/${projectId}/twice/run`));
  });

  it('says so where no project has its app', async () => {
    const file = await fileWith({ $runhook: { webhook: false } }, 'unheard of');
    await assert.rejects(
      command('runFile', { file }),
      /No project has an app "unheard of"\. Known apps: .*\bgreet\b/,
    );
  });

  it('reads the environment where the user has seen what, asked again for more', async () => {
    process.env.PAYLOAD_REGION = 'eu "quoted"';
    process.env.PAYLOAD_OTHER = 'more';
    const document = {
      $runhook: { webhook: false, headers: { 'X-Region': 'at ${env:PAYLOAD_REGION}' } },
      a: 1.5,
    };
    const file = await fileWith(document);
    await answerPrompts((_question: string, detail: string) => {
      assert.match(detail, /Environment variables it reads: PAYLOAD_REGION \(\$runhook\.headers\.X-Region\)/);
      return false;
    });
    assert.equal(await command('runFile', { file }), undefined);
    await answerPrompts(true);
    await command('runFile', { file });
    await command('runFile', { file });
    assert.deepEqual(
      service.received.map(({ headers }) => headers['x-region']),
      Array(2).fill('at eu "quoted"'),
    );
    await typeText(vscode.Uri.parse(file), JSON.stringify({ ...document, b: '${env:PAYLOAD_OTHER}' }));
    await answerPrompts(false);
    assert.equal(await command('runFile', { file }), undefined);
    assert.deepEqual(await answerPrompts(), []);
    assert.equal(service.received.length, 2);
  });

  it('keeps no value of the environment: it is not run again without its document', async () => {
    const value = (process.env.PAYLOAD_REGION = 'a value of the environment');
    const $runhook = { webhook: false, query: { region: '${env:PAYLOAD_REGION}' } };
    const file = await fileWith({ $runhook, a: '${env:PAYLOAD_REGION}' });
    const { id } = await command<{ id: string }>('runFile', { file, confirmed: true });
    assert.deepEqual(bodies(), [{ a: value }]);
    assert.match(paths()[0]!, /\/run\?region=a%20value%20of/);
    await assert.rejects(command('runAgain', { id }), /The request of this run is not kept/);
    await assert.rejects(command('copyRunAs', { id, as: 'curl' }), /The request of this run is not kept/);
    const isAnswer = ({ uri }: vscode.TextDocument): boolean => uri.query === id;
    const answer = await eventually(() => vscode.workspace.textDocuments.find(isAnswer));
    const shown = answer.getText();
    assert.match(
      shown,
      /\n── Request · POST \S+\/v4\/p-shared\/greet\/run\?region=\$\{env:PAYLOAD_REGION\}\n/,
    );
    assert.doesNotMatch(shown, /value/);
  });

  it('is copied without being run, with values of the environment where the user agrees', async () => {
    process.env.PAYLOAD_REGION = 'eu-1';
    const file = await fileWith({ $runhook: { webhook: false }, a: '${env:PAYLOAD_REGION}' });
    for (const answer of [false, true, true]) {
      await answerPrompts((question: string, detail: string) => {
        assert.match(question, /Copy this run with the values of environment variables in it\?/);
        assert.match(detail, /Environment variables it reads: PAYLOAD_REGION \(a\)/);
        return answer;
      });
      const copied = await command<string | undefined>('copyRunAs', { file, as: 'curl' }).catch(String);
      assert.match(String(copied), answer ? /^curl .*\{"a":"eu-1"\}/s : /Nothing was copied/);
    }
    assert.doesNotMatch(await vscode.env.clipboard.readText(), /token-of-the-tests/);
    assert.deepEqual(paths(), []);
  });

  it('is not copied with a password', async () => {
    const inputs = [{ id: 'key', type: 'promptString', password: true }];
    const file = await fileWith({ $runhook: { inputs, webhook: false }, a: '${input:key}' });
    await answerPrompts('secret word');
    const call = command('copyRunAs', { file, as: 'curl' });
    await assert.rejects(call, /sends a password that you entered/);
  });

  for (const name of ['RUNHOOK_TOKEN', 'RUNHOOK_NODE', 'WEBHOOK_SECRET', 'PAYLOAD_REGION']) {
    it(`cannot use the tokens and secrets of Runhook: ${name}`, async () => {
      process.env.PAYLOAD_REGION = 'Bearer token-of-the-tests';
      const file = await fileWith({ a: `\${env:${name}}` });
      await assert.rejects(
        command('runFile', { file, confirmed: true, webhook: false }),
        /cannot use the tokens and secrets/,
      );
      assert.deepEqual(paths(), []);
    });
  }

  it('names a variable that is not set', async () => {
    const file = await fileWith({ a: '${env:PAYLOAD_MISSING}' });
    const call = command('runFile', { file, confirmed: true, webhook: false });
    await assert.rejects(call, /\$\{env:PAYLOAD_MISSING\} is not set in the environment/);
    await vscode.window.showTextDocument(vscode.Uri.parse(file));
    const { verbs } = await expectMessage(command('runFile'), /PAYLOAD_MISSING/);
    assert.deepEqual(verbs, ['Open File']);
  });

  it('asks where the result goes, also where the environment says it', async () => {
    process.env.PAYLOAD_REGION = 'http://192.0.2.2/collect';
    const file = await fileWith({ $runhook: { webhook: '${env:PAYLOAD_REGION}' } });
    for (let times = 0; times < 2; times += 1) {
      await answerPrompts((question: string) => {
        assert.match(question, /Send the response of this run to http:\/\/192\.0\.2\.2\/collect/);
        return times > 0;
      });
      await command('runFile', { file });
    }
    await answerPrompts(false);
    assert.equal(await command('runFile', { file }), undefined);
    assert.equal(service.received.length, 1);
  });

  it('asks for its inputs, and offers the last answer, but no password', async () => {
    const inputs = [
      { id: 'who', type: 'promptString', description: 'Who?', default: 'Ada' },
      { id: 'size', type: 'pickString', options: ['small', { label: 'Large', value: 'l' }] },
      { id: 'key', type: 'promptString', password: true },
    ];
    const document = { $runhook: { inputs, webhook: false }, all: '${input:who} ${input:size} ${input:key}' };
    const file = await fileWith(document);
    await answerPrompts('Grace', 'Large', 'secret word');
    const { id } = await command<{ id: string }>('runFile', { file, confirmed: true });
    await answerPrompts({ kept: true }, { kept: true }, { kept: true });
    await command('runFile', { file, confirmed: true });
    assert.deepEqual(bodies(), [{ all: 'Grace l secret word' }, { all: 'Grace l ' }]);
    await assert.rejects(command('runAgain', { id }), /The request of this run is not kept/);
    await answerPrompts({});
    assert.equal(await command('runFile', { file, confirmed: true }), undefined);
  });

  it('names an input that the file does not have', async () => {
    const file = await fileWith({ a: '${input:who}' });
    const call = command('runFile', { file, confirmed: true, webhook: false });
    await assert.rejects(call, /\$\{input:who\}, but .* no input "who"/);
  });

  it('asks the editor to draw its links anew once the project of its app is there', async () => {
    const uri = vscode.Uri.parse(await fileWith({}, 'late'));
    let asked = 0;
    // The editor asks all providers of a document where one of them says that its links have changed.
    const counter = vscode.languages.registerCodeLensProvider(
      { pattern: uri.fsPath },
      { provideCodeLenses: () => [void (asked += 1)].flatMap(() => []) },
    );
    await vscode.window.showTextDocument(uri);
    await eventually(() => (asked > 0 ? true : undefined));
    assert.equal((await codeLenses(uri)).length, 2);
    const before = asked;
    await command('addProject', { id: 'p-late', serviceAccounts: [], apps: [{ id: 'late' }] });
    await eventually(() => (asked > before ? true : undefined));
    await eventually(async () => ((await codeLenses(uri)).length === 3 ? true : undefined));
    await command('removeProject', { projectId: 'p-late', confirmed: true });
    counter.dispose();
  });
});
