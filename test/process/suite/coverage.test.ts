import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { transform } from 'esbuild';
import { workspaceFiles } from '../../../src/deliveries/failure/workspaceFiles.ts';
import { CodeMeter } from '../../../src/suite/coverage/codeMeter.ts';
import { lineHits } from '../../../src/suite/coverage/lineHits.ts';

/** Which of its lines run is the same in each form. */
const source = `import { createServer } from 'node:http';

/** What arrives. */
function statusOf(kind: string): number {
  // The first way.
  if (kind === 'paid') {
    return 201;
  }
  if (kind === 'refused') return 422;
  else if (kind === 'broken') throw new Error('broken');
  return 200;
}

function neverCalled(): void {
  console.log('never');
}

const server = createServer((request, response) => {
  const kind = (request.url ?? '').slice(1);
  if (kind === 'crash') process.nextTick(() => process.exit(3));
  try {
    response.statusCode = statusOf(kind);
  } catch {
    response.statusCode = 500;
  }
  response.end();
});
server.listen(0, '127.0.0.1', () => console.log(Object.values(server.address() ?? {})[2], neverCalled.name));
`;

describe('the coverage of a handler', () => {
  const never = new AbortController().signal;
  let folder: string;
  let meter: CodeMeter;
  let child: ChildProcess;

  async function start(file: string): Promise<string> {
    child = spawn(process.execPath, [join(folder, file)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...meter.variables() },
    });
    assert.ok(child.stdout);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return `http://127.0.0.1:${line.split(' ')[0]}`;
  }
  /** The lines of the handler that ran since the last time, and the numbers of those that did not, from 1. */
  async function taken() {
    const workspace = await workspaceFiles([folder]);
    const hits = await Promise.all((await meter.take(never)).map((one) => lineHits(one, workspace)));
    return hits.flatMap((one) => [...one]);
  }
  async function ran(): Promise<number[]> {
    const [[, lines] = assert.fail('nothing ran'), ...others] = await taken();
    assert.deepEqual(others, []);
    return [...lines].flatMap(([line, count]) => (count > 0 ? [line + 1] : [])).sort((a, b) => a - b);
  }

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'runhook-handler-')));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    meter = await CodeMeter.open();
  });
  afterEach(async () => {
    await meter.close();
    await rm(folder, { recursive: true });
  });

  const forms: Record<string, () => Promise<string>> = {
    JavaScript: async () => {
      await writeFile(join(folder, 'handler.js'), source.replaceAll(/: (?:string|number|void)\b/g, ''));
      return 'handler.js';
    },
    'TypeScript whose types Node takes out': async () => {
      await writeFile(join(folder, 'handler.ts'), source);
      return 'handler.ts';
    },
    'TypeScript that was compiled into one line, with a map': async () => {
      await mkdir(join(folder, 'dist'));
      await writeFile(join(folder, 'handler.ts'), source);
      const options = {
        loader: 'ts',
        minifyWhitespace: true,
        sourcemap: true,
        sourcefile: '../handler.ts',
      } as const;
      const { code, map } = await transform(source, options);
      await writeFile(join(folder, 'dist', 'handler.js.map'), map);
      await writeFile(join(folder, 'dist', 'handler.js'), `${code}//# sourceMappingURL=handler.js.map\n`);
      return 'dist/handler.js';
    },
  };
  for (const [form, write] of Object.entries(forms)) {
    it(`tells for each delivery which lines it reached: ${form}`, async () => {
      const to = await start(await write());
      assert.equal(await meter.measures(), true);
      const [[file, atStart] = assert.fail('nothing ran')] = await taken();
      assert.equal(
        await readFile(file, 'utf8'),
        await readFile(join(folder, file.endsWith('ts') ? 'handler.ts' : 'handler.js'), 'utf8'),
      );
      assert.deepEqual([atStart.get(0), atStart.get(6), atStart.get(14)], [1, 0, 0]);
      // A comment and a brace are no code.
      assert.deepEqual([atStart.has(4), atStart.has(7), atStart.has(11)], [false, false, false]);
      const always = [18, 19, 20, 21, 22, 26];
      await fetch(`${to}/paid`);
      assert.deepEqual(await ran(), [4, 6, 7, ...always]);
      await fetch(`${to}/refused`);
      assert.deepEqual(await ran(), [4, 6, 9, ...always]);
      await fetch(`${to}/broken`);
      assert.deepEqual(await ran(), [4, 6, 9, 10, 18, 19, 20, 21, 22, 23, 24, 26]);
    });
  }

  it('keeps what ran in a process that has ended, and ends the others', async () => {
    const to = await start(await forms['JavaScript']!());
    await meter.take(never);
    await fetch(`${to}/crash`);
    await once(child, 'exit');
    assert.ok((await ran()).includes(20));
    await start('handler.js');
    assert.equal(await meter.measures(), true);
    const ended = once(child, 'exit');
    await meter.close();
    assert.deepEqual(await ended, [0, null]);
  });

  it('is told although a part of the handler has an address or a map that is broken', async () => {
    const code = (ends: string): string => `eval(${JSON.stringify(`1;\n//# ${ends}`)});\n`;
    const map = { version: 3, names: [], mappings: 'AAAA' };
    const broken = [
      { ...map, sources: ['file://host/share/a.ts'] },
      { ...map, sources: ['file:///a%2Fb.ts'] },
      { ...map, sources: ['a'], mappings: 5 },
      { version: 3, sections: [] },
    ].map((one) => `data:application/json,${encodeURIComponent(JSON.stringify(one))}`);
    for (const [index, address] of broken.entries()) {
      const text = `exports.one = 1;\n//# sourceMappingURL=${address}\n`;
      await writeFile(join(folder, `part${index}.cjs`), text);
    }
    const parts = broken.map((_, index) => `import './part${index}.cjs';\n`).join('');
    await forms['JavaScript']!();
    const handler = await readFile(join(folder, 'handler.js'), 'utf8');
    const named = ['sourceURL=file://host/share/a.js', 'sourceURL=file:///a%2Fb.js'].map(code).join('');
    await writeFile(join(folder, 'handler.js'), `${handler}${parts}${named}`);
    await start('handler.js');
    const files = (await taken()).map(([file]) => file);
    assert.ok(files.includes(join(folder, 'handler.js')), files.join('\n'));
  });

  it('is none of what is no process of Node', async () => {
    assert.equal(await meter.measures(), false);
    assert.deepEqual(await meter.take(never), []);
  });
});
