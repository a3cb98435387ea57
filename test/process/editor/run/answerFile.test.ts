import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AnswerStore } from '../../../../src/editor/run/answers/answerFile.ts';
import { shownAnswer } from '../../../../src/editor/run/answers/answerText.ts';
import type { Run } from '../../../../src/service/runs/run.ts';

const record = { url: 'http://127.0.0.1:1/run', results: [], isSandbox: false };
const input = { projectId: 'p', appName: 'echo', path: 'run', method: 'POST', headers: {}, webhook: false };
const bounds = { perApp: 5, body: 1000, total: 4000 };

describe('the answers that are kept', () => {
  let storage: string;
  let errors: unknown[];
  const open = () => new AnswerStore(storage, (error) => errors.push(error), bounds);
  const runOf = (appName = 'echo', id: string = randomUUID()): Run => {
    const outcome = { kind: 'answered', status: 200, durationMs: 1, bytes: 0 } as const;
    return { id, input: { ...input, appName }, startedAt: 0, outcome };
  };
  const root = () => join(storage, 'runAnswers');
  const files = () =>
    existsSync(root())
      ? readdirSync(root(), { recursive: true, withFileTypes: true })
          .filter((one) => one.isFile())
          .map((one) => join(one.parentPath, one.name))
      : [];

  async function keep(store: AnswerStore, run: Run, body: string, type = 'text/plain'): Promise<Run> {
    const writer = store.begin(run, record);
    writer.begin({ status: 200, headers: { 'content-type': type }, afterMs: 1 });
    await writer.append(Buffer.from(body));
    await store.end(run, body.length);
    await store.written();
    return { ...run, outcome: { kind: 'answered', status: 200, durationMs: 1, bytes: body.length } };
  }
  const textOf = async (run: Run, store = open()) => {
    const answer = await store.find(run);
    return answer?.body && Buffer.from(answer.body.beginning).toString();
  };

  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), 'runhook-answers-'));
    errors = [];
  });
  afterEach(() => rmSync(storage, { recursive: true, force: true }));

  it('keep their bounds beside a file that is none of them, as a file manager leaves one', async () => {
    const store = open();
    mkdirSync(root(), { recursive: true });
    writeFileSync(join(root(), '.DS_Store'), '');
    for (let count = 0; count < 8; count += 1) await keep(store, runOf(), 'x');
    assert.deepEqual(errors, []);
    assert.equal(files().filter((file) => file.endsWith('.answer')).length, bounds.perApp);
  });

  it('are there as they came, for the next window too, and for nobody else to read', async () => {
    const run = await keep(open(), runOf(), '{"a": 1}', 'application/json');
    const store = open();
    const answer = await store.find(run);
    assert.deepEqual(answer && { ...shownAnswer(answer) }, {
      ...record,
      head: { status: 200, headers: { 'content-type': 'application/json' }, afterMs: 1 },
      body: { text: '{\n  "a": 1\n}', bytes: 8 },
    });
    assert.equal(Buffer.from((await store.bytes(run))!).toString(), '{"a": 1}');
    assert.deepEqual(
      files()
        .map((file) => file.slice(file.lastIndexOf('.')))
        .sort(),
      ['.answer', '.json'],
    );
    if (process.platform !== 'win32') {
      for (const file of files()) assert.equal(statSync(file).mode & 0o777, 0o600);
    }
    assert.deepEqual(errors, []);
  });

  it('hold no more of a body than the bound, and say how much there was', async () => {
    const run = await keep(open(), runOf(), 'a'.repeat(2500));
    const answer = await open().find(run);
    assert.deepEqual([answer?.body?.kept, answer?.body?.bytes], [1000, 2500]);
    assert.match(
      shownAnswer(answer!).body?.note ?? '',
      /^The body is 2\.4 KB\. The first 1000 B are kept in .*\.txt$/,
    );
  });

  it('are the last ones of each app, and no more in all, with several windows at the same time', async () => {
    const windows = Array.from({ length: 4 }, () => open());
    const echo = Array.from({ length: 20 }, () => runOf());
    await Promise.all(echo.map((run, index) => keep(windows[index % 4]!, run, 'a')));
    const found = async (runs: readonly Run[]) =>
      (await Promise.all(runs.map((run) => textOf(run)))).filter((text) => text !== undefined).length;
    assert.equal(await found(echo), 5);
    const others = Array.from({ length: 8 }, (_, index) => runOf(`app ${index}`));
    await Promise.all(others.map((run, index) => keep(windows[index % 4]!, run, 'b'.repeat(1000))));
    assert.ok(files().reduce((sum, file) => sum + statSync(file).size, 0) <= bounds.total);
    assert.ok((await found(others)) >= 3);
    const last = await keep(windows[0]!, runOf(), 'the last');
    assert.equal(await textOf(last), 'the last');
    assert.deepEqual(errors, []);
  });

  it('are there as far as they had come where the process was killed, and not taken for whole', async function () {
    this.timeout(60_000);
    const run: Run = { ...runOf(), outcome: { kind: 'interrupted' } };
    const program = fileURLToPath(new URL('../../../support/service/answerProcess.ts', import.meta.url));
    const child = spawn(process.execPath, [program, storage, JSON.stringify(run)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let last = '';
    const ended = once(child, 'exit');
    for await (const line of createInterface(child.stdout)) {
      last = line;
      if (line === '40') child.kill('SIGKILL');
    }
    await ended;
    const text = (await textOf(run)) ?? '';
    assert.ok(Number(last) >= 40);
    assert.ok(text.startsWith(Array.from({ length: 40 }, (_, at) => `${at + 1}\n`).join('')), text);
    assert.equal((await open().find(run))?.body?.bytes, text.length);
    // What the history knows of it counts where more is known.
    const known: Run = {
      ...run,
      outcome: { kind: 'failed', reason: '', durationMs: 1, bytes: 50 * 1024 * 1024 },
    };
    assert.match(
      shownAnswer((await open().find(known))!).body?.note ?? '',
      /^The body is 50(\.0)? MB\. The first/,
    );
  });

  it('are nothing where a record is half written, or no id of a run is asked for', async () => {
    const run = await keep(open(), runOf(), 'a');
    assert.equal(await open().find({ ...run, id: `../${run.id}` }), undefined);
    assert.equal(await open().find(runOf()), undefined);
    writeFileSync(
      files().find((file) => file.endsWith('.answer'))!,
      '{"url": ',
    );
    assert.equal(await open().find(run), undefined);
  });

  it('read no file but their own, whatever a record names', async () => {
    const run = await keep(open(), runOf(), 'a');
    writeFileSync(join(storage, 'secret'), 'of somebody else');
    const path = files().find((file) => file.endsWith('.answer'))!;
    writeFileSync(
      path,
      JSON.stringify({ ...record, head: { status: 200, headers: {}, afterMs: 1 }, file: '../../secret' }),
    );
    assert.equal(await textOf(run), '');
  });

  it('are removed with their runs, and erased; one that still comes is not written again', async () => {
    const store = open();
    const [one, other] = [await keep(store, runOf(), 'a'), await keep(store, runOf(), 'b')];
    await store.remove(one.input, [one.id]);
    assert.deepEqual([await textOf(one), await textOf(other)], [undefined, 'b']);
    const coming = runOf();
    const writer = store.begin(coming, record);
    writer.begin({ status: 200, headers: {}, afterMs: 1 });
    await writer.append(Buffer.from('a'));
    await store.erase();
    await writer.append(Buffer.from('b'));
    await writer.end(2);
    await store.end(coming, 2);
    await store.written();
    assert.deepEqual(files(), []);
    assert.deepEqual(errors, []);
  });

  it('leave nothing of what earlier versions kept', async () => {
    for (const name of ['answers', 'shownAnswers']) {
      mkdirSync(join(storage, name));
      writeFileSync(join(storage, name, 'old'), 'old');
    }
    await keep(open(), runOf(), 'a');
    assert.deepEqual(readdirSync(storage), ['runAnswers']);
  });

  it('go without where they cannot be written, and say why, once', async () => {
    writeFileSync(root(), 'in the way');
    const store = open();
    const run = runOf();
    const writer = store.begin(run, record);
    writer.begin({ status: 200, headers: {}, afterMs: 1 });
    for (let count = 0; count < 3; count += 1) await writer.append(Buffer.from('a'));
    await store.end(run, 3);
    assert.match(writer.problem ?? '', /^something with that name already exists|a part of its path/);
    await store.written();
    assert.ok(errors.length >= 1);
  });

  it('go without where their folder is deleted under them', async () => {
    const store = open();
    const run = runOf();
    const writer = store.begin(run, record);
    await writer.written();
    rmSync(root(), { recursive: true });
    writer.begin({ status: 200, headers: {}, afterMs: 1 });
    await writer.append(Buffer.from('a'));
    await store.end(run, 1);
    await store.written();
    assert.equal(errors.length, 1);
    assert.equal(await store.find(run), undefined);
    assert.equal(await textOf(await keep(store, runOf(), 'the next')), 'the next');
  });

  it('say so where they cannot be read', async () => {
    const run = await keep(open(), runOf(), 'a');
    const path = files().find((file) => file.endsWith('.answer'))!;
    rmSync(path);
    mkdirSync(path);
    await assert.rejects(open().find(run), { code: 'EISDIR' });
  });
});
