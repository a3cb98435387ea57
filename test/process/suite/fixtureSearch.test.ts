import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { findFixtures, testsOf } from '../../../src/suite/fixture/foundFixtures.ts';

describe('the fixtures of a folder', () => {
  let base: string;
  let folder: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'runhook-'));
    folder = join(base, 'suite');
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function write(...names: string[]): void {
    for (const name of names) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), '{"body": 1}');
    }
  }
  const inFolder = (paths: string[]): string[] =>
    paths.map((path) => relative(folder, path).replaceAll('\\', '/')).sort();

  it('are those of their name, in all that is in it, and the old ones where they were saved', () => {
    write('b.delivery.json', 'a/c.delivery.json', 'package.json', 'a/other.json');
    write('.runhook/fixtures/old.json', 'node_modules/x/d.delivery.json', '.git/e.delivery.json');
    const { files, leftOut } = findFixtures(folder);
    assert.deepEqual(inFolder(files), ['.runhook/fixtures/old.json', 'a/c.delivery.json', 'b.delivery.json']);
    assert.deepEqual(leftOut, []);
    assert.deepEqual(findFixtures(join(folder, 'package.json')).files, [join(folder, 'package.json')]);
    assert.deepEqual(inFolder(findFixtures(join(folder, '.runhook/fixtures')).files), [
      '.runhook/fixtures/old.json',
    ]);
    assert.throws(() => findFixtures(join(folder, 'none')), /ENOENT/);
  });

  if (process.platform !== 'win32')
    it('are none that a link has out of it, or to a folder', () => {
      write('a.delivery.json', 'sub/b.delivery.json');
      writeFileSync(join(base, 'outside.delivery.json'), '{"body": "outside"}');
      mkdirSync(join(base, 'elsewhere'));
      writeFileSync(join(base, 'elsewhere', 'x.delivery.json'), '{"body": "outside"}');
      symlinkSync(join(base, 'outside.delivery.json'), join(folder, 'out.delivery.json'));
      symlinkSync(join(folder, 'sub', 'b.delivery.json'), join(folder, 'within.delivery.json'));
      symlinkSync(join(base, 'nowhere'), join(folder, 'nowhere.delivery.json'));
      symlinkSync(join(base, 'elsewhere'), join(folder, 'folder'));
      symlinkSync(folder, join(folder, 'sub', 'around'));
      const { files, leftOut } = findFixtures(folder);
      assert.deepEqual(inFolder(files), ['a.delivery.json', 'sub/b.delivery.json', 'within.delivery.json']);
      assert.deepEqual(inFolder(leftOut), ['nowhere.delivery.json', 'out.delivery.json']);
    });

  if (process.platform !== 'win32')
    it('are none of a folder that cannot be read', () => {
      write('a.delivery.json', 'closed/b.delivery.json', 'listed/c.delivery.json');
      chmodSync(base, 0o755);
      chmodSync(join(folder, 'closed'), 0);
      chmodSync(join(folder, 'listed'), 0o444);
      // The superuser may read everything.
      const isRoot = process.geteuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534);
      try {
        const { files, leftOut } = findFixtures(folder);
        assert.deepEqual(inFolder(files), ['a.delivery.json']);
        assert.deepEqual(inFolder(leftOut), ['closed', 'listed/c.delivery.json']);
        assert.throws(() => findFixtures(join(folder, 'closed')), /EACCES/);
      } finally {
        if (isRoot) process.seteuid?.(0);
        for (const name of ['closed', 'listed']) chmodSync(join(folder, name), 0o755);
      }
    });

  it('are searched up to limits', () => {
    write('a.delivery.json', 'b.delivery.json', '1/2/3/c.delivery.json');
    const limits = { depth: 2, entries: 100, fixtures: 10 };
    assert.deepEqual(inFolder(findFixtures(folder, limits).leftOut), ['1/2/3']);
    assert.throws(() => findFixtures(folder, { ...limits, entries: 2 }), /more than 2 files/);
    assert.throws(() => findFixtures(folder, { ...limits, fixtures: 1 }), /more than 1 fixtures/);
  });

  it('are tests, one for each variant; a file that is none is a test that fails', () => {
    write('a.delivery.json');
    writeFileSync(join(folder, 'b.delivery.json'), '{"body": 1, "variants": "all"}');
    writeFileSync(join(folder, 'c.delivery.json'), '{\n"bdy": 1}');
    mkdirSync(join(folder, 'd.delivery.json'));
    const told = ['a', 'b', 'c', 'd', 'none'].map((name) =>
      testsOf(join(folder, `${name}.delivery.json`)).map(({ fixture, read }) => [
        fixture,
        'problem' in read ? `${read.problem.place.line}: ${read.problem.message}` : read.variant.name,
      ]),
    );
    assert.deepEqual(told[0], [['a', 'as it is']]);
    assert.equal(told[1]!.length, 7);
    assert.match(told[2]![0]![1]!, /^1: "bdy" is not known here/);
    assert.deepEqual(told[3], [['d', '0: It is not a file.']]);
    assert.match(told[4]![0]![1]!, /it is not there/);
  });

  it('take no more memory than their bodies, and little while they are read', async () => {
    mkdirSync(folder);
    const list = `[${'0,'.repeat(3_000_000)}0]`;
    const files = [`{"body": ${list}}`, `{"body": 1, "variants": ${list}}`].flatMap((text, at) =>
      [1, 2, 3].map((number) => {
        const file = join(folder, `${at}-${number}.delivery.json`);
        writeFileSync(file, text);
        return file;
      }),
    );
    const reader = new URL('../../../src/suite/fixture/foundFixtures.ts', import.meta.url).href;
    const program = `import { testsOf } from ${JSON.stringify(reader)};
      const tests = process.argv.slice(1).flatMap(testsOf);
      console.log(tests.map(({ read }) => ('problem' in read ? 'none' : read.variant.name)).join());`;
    const args = ['--max-old-space-size=200', '--input-type=module', '-e', program, ...files];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.equal(stdout.trim(), 'as it is,as it is,as it is,none,none,none');
  });
});
