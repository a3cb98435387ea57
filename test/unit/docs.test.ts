import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { commandIds } from '../../src/contract/commands.ts';
import { worded, wordings } from '../../scripts/build/npmDocs.ts';
import { root } from '../../scripts/checkout.ts';
import { settingIds } from '../../src/editor/kit/ids.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const guides = globSync('docs/*.md', { cwd: root });
/** What is written for users. */
const manual = ['README.md', ...guides];
const documents = [...manual, 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

const manifestTexts = JSON.parse(read('package.nls.json')) as Record<string, string>;

/** Without what is quoted as code over several lines. */
const prose = (file: string): string => read(file).replaceAll(/^```.*?^```$/gms, '');

/** Whatever people copy a command line from, and what ships. */
const copied = [
  ...documents,
  ...globSync('{src,media,l10n,scripts,.github}/**/*.{ts,md,json,yml,js,mjs,py,go,php,rb,java}', {
    cwd: root,
  }),
  'package.json',
  'package.nls.json',
];

describe('the documents', () => {
  it('have what is installed run, and nothing fetched by its name', () => {
    for (const file of copied) {
      const runs = read(file).match(/\bnpx\b.*/g) ?? [];
      for (const run of runs.filter((one) => /^npx (?!from )/.test(one)))
        assert.match(run, /^npx --no\b/, file);
      // Without `--`, npx takes an option right after the name for its own.
      assert.doesNotMatch(read(file), /npx --no runhook -/, file);
    }
    for (const file of ['README.md', 'docs/testing.md', 'docs/commandLine.md']) {
      assert.match(read(file), /npx --no runhook /);
    }
  });

  it('say how to install the command line, as long as npm does not have it, and then', () => {
    for (const file of new Set(wordings.map((one) => one.file))) {
      const text = read(file);
      assert.equal(worded(file, text), text, `npm run docs:npm writes ${file} anew`);
      const then = worded(file, text, true);
      assert.doesNotMatch(then.replace('which `npm run package` writes', ''), /runhook-cli\.tgz/, file);
      assert.equal(worded(file, then, false), text);
    }
  });

  it('have a README of at most 1,200 words', () => {
    const words = read('README.md').split(/\s+/).filter(Boolean).length;
    assert.ok(words <= 1200, `${words} words`);
  });

  it('have no guide that the README does not lead to', () => {
    const readme = read('README.md');
    for (const guide of guides) assert.ok(readme.includes(`](${guide})`), guide);
  });

  for (const file of documents) {
    it(`${file} leads to files and headings that are there`, () => {
      const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
      for (const link of links.filter((one) => !one.startsWith('https://'))) {
        const [path = '', heading] = link.split('#');
        const target = path === '' ? file : join(dirname(file), path);
        assert.ok(existsSync(join(root, target)), link);
        if (heading !== undefined) assert.ok(headingsOf(target).includes(heading), link);
      }
    });
  }

  const ids = new Set<string>([
    ...Object.values(commandIds),
    ...Object.values(settingIds).map((id) => `runhook.${id}`),
  ]);
  const titles = new Set(
    [...Object.values(manifestTexts), ...Object.keys(JSON.parse(read('l10n/bundle.l10n.json')) as object)]
      .flatMap((text) => [
        text,
        ...[...text.matchAll(/\[([^\]]+)\]\(command:/g)].map(([, title]) => title ?? ''),
      ])
      .map(withoutDots),
  );
  for (const file of manual) {
    it(`${file} names commands and settings that there are`, () => {
      const named = [...prose(file).matchAll(/`(runhook\.[A-Za-z.]+)`/g)].map(([, id]) => id ?? '');
      assert.deepEqual(
        named.filter((id) => !ids.has(id)),
        [],
      );
    });

    it(`${file} quotes what Runhook says as it says it`, () => {
      const quoted = [...prose(file).matchAll(/(?<![\w`])_([A-Z][^_\n]*(?:\n[^_\n]*)?)_(?!\w)/g)].map(
        ([, text]) => withoutDots((text ?? '').replaceAll(/\s+/g, ' ').replace(/^Runhook: /, '')),
      );
      assert.deepEqual(
        quoted.filter((text) => !titles.has(text)),
        [],
      );
    });
  }

  it('quote messages in the table of what one sees as they are said', () => {
    const bundle = JSON.parse(read('l10n/bundle.l10n.json')) as Record<string, string>;
    const messages = Object.values(bundle).map((text) => text.replaceAll(/\{\d\}/g, '…'));
    const rows = read('docs/troubleshooting.md').match(/(?<=^\| ).+?(?= \|)/gm) ?? [];
    const quoted = rows.flatMap((row) => [...row.matchAll(/"(.+?)"/g)].map(([, text]) => text ?? ''));
    assert.ok(quoted.length > 10);
    const withoutValues = (text: string): string => text.replaceAll(/\d[\d.]*(?: [KM]B)?/g, '…');
    assert.deepEqual(
      quoted.filter((text) => !messages.some((message) => message.includes(withoutValues(text)))),
      [],
    );
  });

  it('list the tools for agents as the manifest has them', () => {
    const { contributes } = JSON.parse(read('package.json')) as {
      contributes: { languageModelTools: { toolReferenceName: string; userDescription: string }[] };
    };
    const listed = [...read('docs/agents.md').matchAll(/^\| `#(\w+)` +\| (.+?) +\|$/gm)];
    assert.deepEqual(
      listed.map(([, name, description]) => [name, description]),
      contributes.languageModelTools.map(({ toolReferenceName, userDescription }) => [
        toolReferenceName,
        manifestTexts[userDescription.replaceAll('%', '')],
      ]),
    );
  });
});

describe('the map of the rooms in CONTRIBUTING.md', () => {
  const [, map = ''] = /## The rooms of `src\/`\n\n((?: {4}.*\n)+)/.exec(read('CONTRIBUTING.md')) ?? [];

  it('fits a screen', () => {
    const lines = map.trimEnd().split('\n').length;
    assert.ok(lines > 10 && lines <= 40, `${lines} lines`);
  });

  it('has every room, and every folder in it', () => {
    const folders = (path: string): string[] =>
      readdirSync(join(root, 'src', path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    const rooms = folders('.');
    const mapped = new Map<string, string[]>();
    for (const line of map.split('\n').map((one) => one.slice(4))) {
      const names = [...line.matchAll(/(?<![\w/])(\w+)\/(?!\w)/g)].map(([, name]) => name ?? '');
      const [first] = names;
      if (/^\w/.test(line) && first !== undefined) mapped.set(first, names.slice(1));
      else [...mapped.values()].at(-1)?.push(...names);
    }
    assert.deepEqual([...mapped.keys()].sort(), rooms.sort());
    for (const room of rooms) {
      const named = new Set(mapped.get(room));
      assert.deepEqual(
        folders(room).filter((folder) => !named.has(folder)),
        [],
        room,
      );
    }
  });
});

describe('the walks through the code in CONTRIBUTING.md', () => {
  for (const [heading, most] of [
    ['A setting, from key press', 34],
    ['A run, from click', 28],
    ['A delivery, from socket', 22],
  ] as const) {
    const [, walk = ''] =
      new RegExp(`## ${heading}[^\\n]*\\n([^]*?)\\n## `).exec(read('CONTRIBUTING.md')) ?? [];
    const files = [...walk.matchAll(/^ {4}(src\/\S+\.ts)/gm)].map(([, file = '']) => file);

    it(`are short, and come to no file twice: ${heading}`, () => {
      assert.ok(files.length > 10 && files.length <= most, `${files.length} files`);
      assert.equal(new Set(files).size, files.length);
    });

    it(`lead from file to file by imports: ${heading}`, () => {
      const imports = new Map(files.map((file) => [file, importsOf(file)]));
      for (const file of files) {
        const isJoined = files.some(
          (other) => imports.get(file)?.has(other) === true || imports.get(other)?.has(file) === true,
        );
        assert.ok(isJoined, file);
      }
    });
  }
});

/** The files that a file of src imports, types included. */
function importsOf(file: string): Set<string> {
  const specifiers = [...read(file).matchAll(/(?:from|import)[ (]'(\.[^']+)'/g)];
  return new Set(specifiers.map(([, path = '']) => posix.join(posix.dirname(file), path)));
}

/** The anchors of a document's headings, as GitHub makes them. */
function headingsOf(file: string): string[] {
  return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What a menu says, whether it asks something or not. */
function withoutDots(text: string): string {
  return text.replace(/…$/, '');
}
