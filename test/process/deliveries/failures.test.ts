import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import ts from 'typescript';
import { originalPlace } from '../../../src/deliveries/failure/sourceMap.ts';
import { failurePlace } from '../../../src/deliveries/failure/failurePlace.ts';
import { type Trace, tracesIn } from '../../../src/deliveries/failure/traces.ts';
import { tracesOfBody } from '../../../src/deliveries/failure/tracesOfBody.ts';
import { pathOfUrl, type Workspace, workspaceFiles } from '../../../src/deliveries/failure/workspaceFiles.ts';
import { runtimeEnv } from '../../../scripts/test/receiverRuntimes.ts';
import { spawnOwned, stopOwned } from '../../../scripts/processes.mjs';
import { waitFor } from '../../support/time/waitFor.ts';

const planted = fileURLToPath(new URL('../../fixtures/failures/', import.meta.url));
const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** Where what a program throws leads to: the name of its mark, and the message. */
type Expected = readonly [mark: string, message: string] | undefined;

describe('the line at which a handler failed', () => {
  let folder: string;
  let workspace: Workspace;

  before(async () => {
    // The programs are in a folder that has a space and brackets in its name, and is reached through a link.
    const real = mkdtempSync(join(tmpdir(), 'runhook-failures-'));
    cpSync(planted, join(real, 'shop (new)'), { recursive: true });
    symlinkSync(packages, join(real, 'node_modules'), 'junction');
    folder = join(real, 'shop (new)');
    symlinkSync(folder, join(real, 'link'), 'junction');
    workspace = await workspaceFiles([join(real, 'link')]);
  });
  after(() => rmSync(join(folder, '..'), { recursive: true }));

  /** The code at which the place begins that was led to last; undefined where no column was told. */
  let codeAt: string | undefined;

  /** Where the last of the traces leads to that leads anywhere, as its mark. */
  async function led(traces: readonly Trace[]): Promise<Expected> {
    const places = await Promise.all(traces.map((trace) => failurePlace(trace, workspace)));
    const place = places.findLast((one) => one !== undefined);
    if (place === undefined) return undefined;
    const text = readFileSync(place.file, 'utf8').split('\n')[place.line - 1] ?? '';
    codeAt = place.column === undefined ? undefined : text.slice(place.column - 1);
    const [, mark = `${basename(place.file)}:${place.line}`] = /here: (\w+)/.exec(text) ?? [];
    return [mark, place.message];
  }
  const outputOf = (program: string, ...args: string[]): string => {
    const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    return `${stdout}${stderr}`;
  };

  const ofNode: Record<string, Expected> = {
    sync: ['sync', 'TypeError: result is undefined'],
    ofTheRuntime: ['ofTheRuntime', "TypeError: Cannot read properties of null (reading 'prompt')"],
    inALibrary: [
      'inALibrary',
      "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    ],
    ofTheSystem: ['ofTheSystem', "Error: ENOENT: no such file or directory, open '/none/such'"],
    severalLines: ['severalLines', 'Error: first'],
    withCause: ['withCause', 'Error: outer'],
    aggregate: ['aggregate', 'AggregateError: several'],
    text: ['text', 'not an error'],
    asserted: ['asserted', 'AssertionError [ERR_ASSERTION]: 1 == 2'],
    named: ['named', 'NotFound: no such run'],
    tooDeep: ['tooDeep', 'RangeError: Maximum call stack size exceeded'],
    loads: ['loads', "SyntaxError: Unexpected token ';'"],
    rejected: ['rejected', 'RangeError: later'],
    systemLater: ['systemLater', "Error: ENOENT: no such file or directory, open '/none/such'"],
    timer: ['timer', 'Error: in a timer'],
    chained: ['chained', "TypeError: Cannot read properties of undefined (reading 'x')"],
    logged: ['logged', "TypeError: Cannot read properties of null (reading 'x')"],
    loggedWithin: ['loggedWithin', "TypeError: Cannot read properties of null (reading 'x')"],
    loggedAsJson: ['loggedAsJson', "TypeError: Cannot read properties of null (reading 'x')"],
    rejectedText: undefined,
    silent: undefined,
  };
  for (const [kind, expected] of Object.entries(ofNode)) {
    it(`is that of an error of Node: ${kind}`, async () => {
      assert.deepEqual(await led(tracesIn(outputOf(process.execPath, 'thrown.cjs', kind))), expected);
    });
  }

  it('begins at the column that the runtime tells, where it does', async () => {
    await led(tracesIn(outputOf(process.execPath, 'thrown.cjs', 'sync')));
    assert.match(codeAt ?? '', /^new TypeError/);
    await led(tracesIn(outputOf('python3', 'thrown.py', 'sync')));
    assert.equal(codeAt, undefined);
  });

  it('is found where a debugger adds what had begun the work', () => {
    const text = [
      "Uncaught TypeError TypeError: Cannot read properties of undefined (reading 'name')",
      '    at handle (/app/server.mjs:5:37)',
      '    at <anonymous> (/app/server.mjs:14:7)',
      '    --- TickObject ---',
      '    at init (node:internal/inspector_async_hook:25:19)',
      '    at <anonymous> (/app/server.mjs:19:4)',
      'Process exited with code 1',
    ];
    const [trace, ...more] = tracesIn(text.join('\n'));
    assert.deepEqual(more, []);
    assert.equal(trace?.message, "TypeError: Cannot read properties of undefined (reading 'name')");
    assert.deepEqual(
      trace.frames.map(({ line }) => line),
      [5, 14, 25, 19],
    );
  });

  it('is that of an error of one of several programs in a terminal, in colour', async () => {
    const output = outputOf(process.execPath, 'thrown.cjs', 'logged');
    for (const name of ['[0] ', 'web-1  | ']) {
      const lines = output.split('\n').map((line) => `\u001b[36m${name}\u001b[0m${line}\r`);
      assert.equal((await led(tracesIn(lines.join('\n'))))?.[0], 'logged');
    }
  });

  const ofPython: Record<string, Expected> = {
    sync: ['sync', "KeyError: 'prompt'"],
    in_a_library: [
      'in_a_library',
      'json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    ],
    with_cause: ['with_cause', 'ValueError: bad a'],
    while_handling: ['while_handling', 'ValueError: bad a'],
    loads: ['loads', 'SyntaxError: invalid syntax'],
    in_a_task: ['in_a_task', 'RuntimeError: later'],
    in_a_group: ['in_a_group', 'ExceptionGroup: several (2 sub-exceptions)'],
    too_deep: ['too_deep', 'RecursionError: maximum recursion depth exceeded'],
    several_lines: ['several_lines', 'ValueError: first'],
    in_a_thread: ['in_a_thread', 'AssertionError'],
    silent: undefined,
  };
  for (const [kind, expected] of Object.entries(ofPython)) {
    it(`is that of an error of Python: ${kind}`, async () => {
      assert.deepEqual(await led(tracesIn(outputOf('python3', 'thrown.py', kind))), expected);
    });
  }

  const compilers: Record<string, (source: string) => Promise<Record<string, string>>> = {
    'by TypeScript, with a map beside it': (source) => {
      const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, sourceMap: true };
      const made = ts.transpileModule(source, { fileName: 'compiled.ts', compilerOptions: options });
      const text = made.outputText.replace(/sourceMappingURL=.*/, 'sourceMappingURL=out.cjs.map');
      const map = made.sourceMapText?.replace('"compiled.ts"', '"../compiled.ts"') ?? '';
      return Promise.resolve({ 'out.cjs': text, 'out.cjs.map': map });
    },
    'by esbuild, with a map within it, minified': async (source) => {
      const options = {
        loader: 'ts',
        sourcemap: 'inline',
        minify: true,
        sourcefile: '../compiled.ts',
      } as const;
      return { 'out.cjs': (await esbuild.transform(source, options)).code };
    },
    'by a bundler that names sources in its own way': async (source) => {
      const options = { loader: 'ts', sourcemap: 'external', sourcefile: '../compiled.ts' } as const;
      const { code, map } = await esbuild.transform(source, options);
      const named = map.replace('"../compiled.ts"', '"webpack://shop/./compiled.ts?1a2b"');
      return { 'out.cjs': `${code}\n//# sourceMappingURL=out.cjs.map`, 'out.cjs.map': named };
    },
  };
  for (const [how, compile] of Object.entries(compilers)) {
    it(`is that of the source of what was compiled ${how}`, async () => {
      const out = join(folder, 'dist');
      cpSync(planted, out, { recursive: true, filter: (path) => !/\.\w+$/.test(path) });
      const files = await compile(readFileSync(join(folder, 'compiled.ts'), 'utf8'));
      for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text);
      for (const kind of ['sync', 'later']) {
        assert.equal((await led(tracesIn(outputOf(process.execPath, 'dist/out.cjs', kind))))?.[0], kind);
        assert.match(codeAt ?? '', kind === 'sync' ? /^(?:prompt\.)?length;/ : /^new RangeError/);
      }
    });
  }

  /** Starts a server, asks it, and gives what it has answered and written since. */
  async function asked(
    [program, ...args]: readonly [string, ...string[]],
    paths: readonly string[],
    { env = process.env, body = '{}', silent = [] as string[] } = {},
  ): Promise<Record<string, { answer: string; output: string }>> {
    const child = spawnOwned(program, args, { cwd: folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    try {
      const url = await waitFor('the address', () => /^http:\S+/m.exec(output)?.[0]);
      const results: Record<string, { answer: string; output: string }> = {};
      for (const path of paths) {
        output = '';
        const headers = { 'content-type': 'application/json' };
        const request = fetch(url + path, { method: 'POST', headers, body });
        const answer = await request.then((response) => response.text()).catch(() => '');
        // Some write it after their answer.
        if (!silent.includes(path)) await waitFor('the output', () => tracesIn(output).length > 0);
        results[path] = { answer, output };
      }
      return results;
    } finally {
      await stopOwned(child);
    }
  }

  it('is that of what a server without a framework writes or answers, where it does', async () => {
    const paths = ['/caught', '/stack', '/json', '/late', '/silent', '/crash'];
    const told = await asked([process.execPath, 'plainServer.mjs'], paths, {
      silent: ['/stack', '/json', '/silent'],
    });
    for (const path of ['/caught', '/late', '/crash']) {
      assert.equal((await led(tracesIn(told[path]!.output)))?.[0], path.slice(1));
    }
    for (const path of ['/stack', '/json']) {
      assert.equal((await led(tracesOfBody(told[path]!.answer)))?.[0], path.slice(1));
    }
    for (const text of Object.values(told['/silent']!)) {
      assert.equal(await led([...tracesOfBody(text), ...tracesIn(text)]), undefined);
    }
  });

  it('is that of the page or of the output of Express', async () => {
    const program = [process.execPath, 'expressServer.cjs'] as const;
    const paths = ['/sync', '/async', '/next'];
    for (const mode of ['development', 'production']) {
      const told = await asked(program, paths, { env: { ...process.env, NODE_ENV: mode } });
      for (const path of paths) {
        const { answer, output } = told[path]!;
        const inAnswer = await led(tracesOfBody(answer));
        assert.equal(inAnswer?.[0], mode === 'development' ? path.slice(1) : undefined);
        if (path === '/sync' && inAnswer) assert.equal(inAnswer[1], 'TypeError: a <b> & c');
        assert.equal((await led(tracesIn(output)))?.[0], path.slice(1));
      }
    }
    // The error is one of a library alone.
    const { answer } = (await asked(program, ['/parsed'], { body: '{' }))['/parsed']!;
    assert.match(answer, /SyntaxError/);
    assert.equal(await led(tracesOfBody(answer)), undefined);
  });

  it("is that of the output of Python's server", async () => {
    const told = await asked(['python3', 'plain_server.py'], ['/']);
    assert.deepEqual(await led(tracesIn(told['/']!.output)), ['post', "KeyError: 'prompt'"]);
  });

  it('is looked for in no file outside of the workspace, whatever traces and maps name', async () => {
    const outside = join(folder, '..', 'outside.map');
    writeFileSync(outside, JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }));
    const asked: string[] = [];
    const watched: Workspace = {
      folders: workspace.folders,
      read: async (path, most) => {
        const text = await workspace.read(path, most);
        if (text !== undefined) asked.push(path);
        return text;
      },
    };
    const bundled = { version: 3, sources: ['webpack:///../outside.map'], names: [], mappings: 'AAAA' };
    for (const address of [
      '../outside.map',
      outside,
      pathToFileURL(outside).href,
      `data:application/json,${encodeURIComponent(JSON.stringify(bundled))}`,
    ]) {
      const compiled = join(folder, 'compiled.js');
      const text = `x();\n//# sourceMappingURL=${address}\n`;
      assert.equal(await originalPlace({ file: compiled, line: 1 }, text, watched), undefined, address);
    }
    const frames = [outside, '../outside.map', pathToFileURL(outside).href].map((file) => ({
      file,
      line: 1,
    }));
    assert.equal(await failurePlace({ message: '', frames, offset: 0 }, watched), undefined);
    assert.deepEqual(asked, []);
    assert.notEqual(await watched.read(join(folder, 'thrown.cjs'), 1e6), undefined);
    // Another machine would be asked for it, with the name of the user.
    for (const address of ['file://host/share/a.js', '//host/share/a.map'])
      assert.equal(pathOfUrl(new URL(address, pathToFileURL(outside)).href), undefined);
  });

  const flask = runtimeEnv('Flask');
  it(`is that of the page or of the output of Flask${flask ? '' : ', which is not here'}`, async () => {
    if (flask === undefined) return;
    for (const args of [[], ['debug']]) {
      const told = await asked(['python3', 'flask_server.py', ...args], ['/sync', '/raised'], { env: flask });
      for (const [path, { answer, output }] of Object.entries(told)) {
        const message = path === '/sync' ? "KeyError: '<prompt>'" : 'RuntimeError: bad number';
        const expected = [path.slice(1), message];
        assert.deepEqual(await led(tracesIn(output)), expected);
        assert.deepEqual(await led(tracesOfBody(answer)), args.length > 0 ? expected : undefined);
      }
    }
  });
});
