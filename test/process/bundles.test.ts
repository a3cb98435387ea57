import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Metafile } from 'esbuild';
import { listFiles, PackageManager } from '@vscode/vsce';
import { openPromise } from 'yauzl';
import ts from 'typescript';
import { verificationTargets } from '../../src/service/signature/verificationCode.ts';
import { bundleMetafiles, packageExtension } from '../../scripts/build/package.ts';
import { copiedFiles, pageStyles } from '../../esbuild.mjs';
import { root, workFolder } from '../../scripts/checkout.ts';
import { languages } from '../../scripts/l10n/bundles.ts';
import { thirdPartyNotices } from '../../scripts/build/thirdPartyNotices.ts';
import { importViolation, packageViolation } from '../../scripts/test/lintRules.mjs';

/** The imports of a module, including type imports and dynamic ones: our files by path, packages by name. */
interface Imports {
  files: ReadonlySet<string>;
  packages: ReadonlySet<string>;
}

/** The imports of all modules of src. */
function importGraph(): ReadonlyMap<string, Imports> {
  const paths = globSync('src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return new Map(paths.map((path) => [path, importsIn(path, readFileSync(join(root, path), 'utf8'))]));
}

/** The imports in the code of a module. @param path of the module, to resolve relative imports */
function importsIn(path: string, code: string): Imports {
  const specifiers = new Set<string>();
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) specifiers.add(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, code, ts.ScriptTarget.ES2024));
  const own = [...specifiers].filter((one) => one.startsWith('.'));
  return {
    files: new Set(own.map((one) => posix.join(posix.dirname(path), one))),
    packages: new Set([...specifiers].filter((one) => !own.includes(one))),
  };
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return node.arguments[0];
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
}

/** The contents of the files in a VSIX, by path. */
async function vsixFiles(path: string): Promise<Map<string, Buffer>> {
  const archive = await openPromise(path);
  const files = new Map<string, Buffer>();
  for await (const entry of archive.eachEntry()) {
    files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
  }
  return files;
}

/** The Unix modes of the files in a VSIX, by path. */
async function vsixModes(path: string): Promise<Map<string, number>> {
  const archive = await openPromise(path);
  const modes = new Map<string, number>();
  for await (const entry of archive.eachEntry()) {
    modes.set(entry.fileName, entry.externalFileAttributes >>> 16);
  }
  return modes;
}

/** What activation may load, in bytes: an extension that nobody uses yet should cost next to nothing. */
const most = 40 * 1024;

describe('activation', () => {
  let output: Metafile['outputs'][string];

  before('bundles the extension', async () => {
    const [extension] = await bundleMetafiles();
    output = extension!.outputs['dist/extension.cjs']!;
  });

  it(`loads at most ${most / 1024} KB`, () => {
    assert.ok(output.bytes > 0 && output.bytes <= most, `${output.bytes} bytes are loaded`);
  });

  it('loads nothing of a feature but what tells whether it has something to do', () => {
    const modules = Object.keys(output.inputs).filter((module) => module.startsWith('src/editor/'));
    const later = ['feature', 'command', 'Tree', 'transport', 'log.ts', 'config'];
    for (const name of later) {
      assert.deepEqual(
        modules.filter((module) => module.slice(module.lastIndexOf('/') + 1).includes(name)),
        [],
      );
    }
    assert.ok(modules.includes('src/editor/kit/lazyView.ts'));
  });

  it('knows the commands by the manifest, and loads neither their table nor what reads their arguments', () => {
    const loaded = Object.keys(output.inputs).filter((module) => /^src\/contract\/|valibot/.test(module));
    assert.deepEqual(loaded, []);
  });
});

/** What a package.json and its lockfile say, so far as it is asked here. */
interface Manifest {
  dependencies: Record<string, string>;
}
interface LockedPackage {
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Lockfile {
  packages: Record<string, LockedPackage>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** `node_modules/@lit/x` of a file in it, wherever the checkout is; undefined for a file of ours. */
const packageOf = (file: string): string | undefined =>
  /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

describe('what ships of others', () => {
  const { dependencies } = read('package.json') as Manifest;
  const { packages } = read('package-lock.json') as Lockfile;
  /** Those that `npm audit --omit=dev` looks at. What is a peer of another is there for development alone. */
  const audited = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path]) => path);
  let metafiles: Metafile[];
  let shipped: Set<string>;

  before('bundles the extension', async () => {
    metafiles = await bundleMetafiles();
    const files = [...metafiles.flatMap(({ inputs }) => Object.keys(inputs)), ...copiedFiles];
    shipped = new Set(files.flatMap((file) => packageOf(file) ?? []));
  });

  it('is counted by an audit of the dependencies', () => {
    assert.ok(shipped.size > 3);
    assert.deepEqual(
      [...shipped].filter((path) => !audited.includes(path)),
      [],
    );
  });

  it('is what the sources ask for, and nothing else is a dependency', () => {
    const asked = metafiles.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { imports }]) =>
        packageOf(file) === undefined ? imports.flatMap(({ path }) => packageOf(path) ?? []) : [],
      ),
    );
    // The bundle of undici is that package and nothing of ours.
    const entries = metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap(({ entryPoint }) => (entryPoint && packageOf(entryPoint)) ?? []),
    );
    const direct = new Set([...asked, ...entries, ...copiedFiles.flatMap((file) => packageOf(file) ?? [])]);
    assert.deepEqual(
      [...direct].map((path) => path.replace('node_modules/', '')).sort(),
      Object.keys(dependencies).sort(),
    );
  });

  it('is all that an audit counts, but for parts of Lit that are not used', () => {
    assert.deepEqual(
      audited.filter((path) => !shipped.has(path)).map((path) => path.replace('node_modules/', '')),
      ['@lit-labs/ssr-dom-shim', '@lit/context', '@types/trusted-types'],
    );
  });

  it('is of one version each, to the letter', () => {
    for (const [name, version] of Object.entries(dependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+$/);
      assert.equal(packages[`node_modules/${name}`]?.version, version, name);
    }
  });
});

describe('the lockfile', () => {
  it('holds what each of its packages asks for on any platform: npm ci fails without', () => {
    const { packages } = read('package-lock.json') as Lockfile;
    const held = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    const asked = Object.values(packages).flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    );
    assert.deepEqual(
      asked.filter((name) => !held.has(name)),
      [],
    );
  });
});

interface PackedManifest {
  [key: string]: unknown;
  main: string;
  icon: string;
  repository: { url: string };
}

describe('the VSIX', () => {
  let folder: string;
  let path: string;
  let files: Map<string, Buffer>;
  let manifest: PackedManifest;
  const text = (name: string) => files.get(name)?.toString('utf8') ?? assert.fail(`${name} is not in it`);

  before('packs it, where npm test has not done so', async () => {
    await mkdir(workFolder, { recursive: true });
    folder = await mkdtemp(join(workFolder, 'vsix-'));
    path = process.env.RUNHOOK_VSIX ?? join(folder, 'runhook.vsix');
    // It rejects where vsce warns, or where its scanner finds a secret.
    if (process.env.RUNHOOK_VSIX === undefined) await packageExtension(path);
    files = await vsixFiles(path);
    manifest = JSON.parse(text('extension/package.json')) as PackedManifest;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has every icon that a style sheet of a page draws by its code', () => {
    const kept = readFileSync(join(root, 'dist/codicons/codicon.css'), 'utf8');
    const codes = pageStyles.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/content: '\\([0-9a-f]{4})'/g)].map(
        ([, code = '']) => code,
      ),
    );
    assert.ok(codes.length > 0);
    assert.deepEqual(
      codes.filter((code) => !kept.includes(`"\\${code}"`)),
      [],
    );
  });

  it('holds what is needed, and nothing else', async () => {
    const built = (await bundleMetafiles()).flatMap(({ outputs }) => Object.keys(outputs));
    // No window runs a relay: it is part of the npm package.
    const shippedBundles = built.filter((file) => file !== 'dist/relay.cjs');
    assert.notEqual(shippedBundles.length, built.length);
    const steps = ['sandbox', 'webhook', 'explanation', 'project', 'token'];
    const expected = [
      ...shippedBundles,
      'bin/runhook',
      'bin/runhook.cmd',
      'dist/codicons/codicon.css',
      'dist/codicons/codicon.ttf',
      'LICENSE.txt',
      'THIRD-PARTY-NOTICES.md',
      'changelog.md',
      'readme.md',
      'package.json',
      'package.nls.json',
      ...languages().map((language) => `package.nls.${language}.json`),
      ...languages().map((language) => `l10n/bundle.l10n.${language}.json`),
      'media/deliveries.tmLanguage.json',
      'media/delivery.schema.json',
      'media/explanation.css',
      'media/form.css',
      'media/icon.png',
      'media/keybindings.schema.json',
      'media/page.css',
      'media/payload.schema.json',
      'media/response.language.json',
      'media/response.tmLanguage.json',
      'media/runhook.schema.json',
      'media/runhook.svg',
      'media/skills/runhook/SKILL.md',
      ...['explanation', 'form', 'timeline'].flatMap((page) =>
        ['dark', 'light'].map((theme) => `media/${page}-${theme}.svg`),
      ),
      ...steps.map((step) => `media/walkthrough/${step}.svg`),
      'media/snippets/go/webhook.go',
      'media/snippets/java/WebhookReceiver.java',
      'media/snippets/php/webhook.php',
      'media/snippets/python/fastapi_app.py',
      'media/snippets/python/flask_app.py',
      'media/snippets/python/verify.py',
      'media/snippets/ruby/webhook.rb',
      'media/snippets/javascript/express.js',
      'media/snippets/javascript/fetch.js',
      'media/snippets/javascript/node.js',
      'media/snippets/javascript/verify.js',
      'media/snippets/typescript/express.ts',
      'media/snippets/typescript/fetch.ts',
      'media/snippets/typescript/node.ts',
      'media/snippets/typescript/verify.ts',
      'media/timeline.css',
    ].map((file) => `extension/${file}`);
    const expectedAll = [...expected, '[Content_Types].xml', 'extension.vsixmanifest'].sort();
    assert.deepEqual([...files.keys()].sort(), expectedAll);
  });

  it('holds the code that Insert Verification Code reads, what stands in media, and the messages', () => {
    const code = verificationTargets.flatMap(({ file, verify }) => [file, ...(verify ? [verify] : [])]);
    const media = readdirSync(join(root, 'media'), { withFileTypes: true }).filter((entry) => entry.isFile());
    const needed = [
      ...code.map((file) => `media/snippets/${file}`),
      ...media.map(({ name }) => `media/${name}`),
      ...languages().map((language) => `l10n/bundle.l10n.${language}.json`),
    ];
    for (const file of needed) assert.ok(files.has(`extension/${file}`), file);
  });

  it('holds no dependency beside what is bundled, though vsce be told to look for them', async () => {
    const found = await listFiles({ cwd: root, packageManager: PackageManager.Npm });
    // Three have other names in it.
    const plain = (names: Iterable<string>): string[] =>
      [...names].map((name) => name.toLowerCase().replace(/^license\.txt$/, 'license')).sort();
    const packed = [...files.keys()].filter((name) => name.startsWith('extension/'));
    assert.deepEqual(plain(found), plain(packed.map((name) => name.slice('extension/'.length))));
  });

  it('has a launcher that the system may execute', async () => {
    const mode = (await vsixModes(path)).get('extension/bin/runhook') ?? 0;
    // Windows has no such bits: there the .cmd is found.
    if (process.platform !== 'win32') assert.equal(mode & 0o111, 0o111);
    assert.match(text('extension/bin/runhook'), /^#!\/bin\/sh\n/);
  });

  it('has no source maps, and does not name this machine', () => {
    for (const [name, content] of files) {
      // Runhook reads those of handlers: the word alone is no map.
      const found = /^\/\/# sourceMappingURL=|\/home\/\w|\/Users\/\w|\/tmp\/\w/m.exec(
        content.toString('latin1'),
      );
      assert.equal(found?.[0], undefined, name);
    }
  });

  it('is at most 0.9 MB, pictures included', async () => {
    const { size } = await stat(path);
    assert.ok(size <= 900_000, `${size} bytes`);
  });

  it('loads at most 40 KB at activation, in one file', () => {
    const entry = files.get(posix.join('extension', manifest.main))!;
    assert.ok(entry.length <= 40 * 1024, `${entry.length} bytes are loaded`);
    const required = [...entry.toString().matchAll(/\brequire\("([^"]+)"\)/g)].map(([, from]) => from!);
    // Each further time would have VS Code look up whose API it is, and esbuild copy its names.
    assert.deepEqual(
      required.filter((from) => !from.startsWith('node:')),
      ['vscode', './features.cjs'],
    );
  });

  it('holds of undici what is used: at most 160 KB', () => {
    const { length } = files.get('extension/dist/undici.cjs')!;
    assert.ok(length > 0 && length <= 160 * 1024, `${length} bytes`);
  });

  it('has an icon of 256 by 256 pixels', () => {
    const icon = files.get(`extension/${manifest.icon}`)!;
    assert.equal(icon.subarray(1, 4).toString('latin1'), 'PNG');
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [256, 256]);
  });

  it('says what the marketplaces show', () => {
    assert.deepEqual(manifest.galleryBanner, { color: '#1d2f6f', theme: 'dark' });
    assert.deepEqual(manifest.categories, ['Other', 'Testing', 'Debuggers']);
    assert.deepEqual(manifest.keywords, ['webhook', 'signature', 'hmac', 'api keys', 'scaling']);
    assert.equal(manifest.license, 'MIT');
    const gallery = text('extension.vsixmanifest');
    for (const part of ['Branding.Color" Value="#1d2f6f"', '<Icon>extension/media/icon.png</Icon>'])
      assert.ok(gallery.includes(part), part);
    assert.match(gallery, /<Tags>[^<]*\bwebhook\b/);
  });

  it('runs where the workspace is, trusted or not, virtual or not', () => {
    assert.deepEqual(manifest.extensionKind, ['workspace']);
    assert.deepEqual(manifest.capabilities, {
      untrustedWorkspaces: {
        supported: 'limited',
        description: '%untrusted%',
        restrictedConfigurations: [
          'runhook.listener.forwardTo',
          'runhook.listener.routes',
          'runhook.dashboardUrl',
        ],
      },
      virtualWorkspaces: true,
    });
    // No target: one package for every platform. What it depends on is bundled: nothing is resolved at run time.
    assert.doesNotMatch(text('extension.vsixmanifest'), /TargetPlatform/);
    assert.deepEqual(
      [...files.keys()].filter((name) => name.endsWith('.node') || name.includes('node_modules')),
      [],
    );
  });

  it('has a README whose pictures and links lead somewhere outside the package', () => {
    const targets = [...text('extension/readme.md').matchAll(/\]\(([^)\s]+)|(?:src|href)="([^"]+)"/g)].map(
      ([, markdown, html]) => markdown ?? html ?? '',
    );
    assert.ok(targets.length > 0);
    for (const target of targets) assert.match(target, /^(https:\/\/|#)/, target);
  });

  it('has the licences of all that is bundled: npm run notices', async () => {
    assert.equal(text('extension/THIRD-PARTY-NOTICES.md'), thirdPartyNotices(await bundleMetafiles()));
  });
});

describe('the walls between the rooms', () => {
  let graph: ReadonlyMap<string, Imports>;
  before('reads all imports of src', () => {
    graph = importGraph();
  });

  it('see all that ships', async function () {
    this.timeout(60_000);
    const metafiles = await bundleMetafiles();
    const ours = metafiles
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([path]) => /^src\/.*\.ts$/.test(path));
    assert.ok(ours.length > 100);
    for (const [path, { imports }] of ours) {
      const seen = graph.get(path)?.files ?? new Set();
      const unseen = imports.filter((one) => one.path.startsWith('src/') && !seen.has(one.path));
      assert.deepEqual(unseen, [], path);
    }
  });

  it('hold, for types too', () => {
    const breaches = [...graph].flatMap(([from, { files, packages }]) =>
      [
        ...[...files].map((file) => importViolation(from, file)),
        ...[...packages].map((name) => packageViolation(from, name)),
      ].flatMap((breach) => (breach === undefined ? [] : [`${from}: ${breach}`])),
    );
    assert.deepEqual(breaches, []);
  });

  it('have no circle between them, for types neither', () => {
    assert.deepEqual(circleIn(new Map([...graph].map(([file, { files }]) => [file, [...files]]))), undefined);
  });

  it('are seen where they are broken', () => {
    assert.match(importViolation('src/contract/run.ts', 'src/editor/kit/log.ts') ?? '', /no other room/);
    assert.match(
      importViolation('src/listener/program/program.ts', 'src/service/sandbox/main.ts') ?? '',
      /not service\/sandbox\/main/,
    );
    assert.match(
      importViolation('src/editor/run/send.ts', 'src/listener/intake/listener.ts') ?? '',
      /not listener\/intake/,
    );
    assert.equal(
      importViolation('src/editor/run/send.ts', 'src/listener/attach/attachProgram.ts'),
      undefined,
    );
    assert.equal(
      importViolation('src/service/sandbox/main.ts', 'src/service/signature/signature.ts'),
      undefined,
    );
    assert.match(packageViolation('src/pages/form/form.ts', 'node:fs') ?? '', /may not import/);
    assert.match(packageViolation('src/listener/intake/listener.ts', 'vscode') ?? '', /may not import/);
    assert.equal(packageViolation('src/listener/intake/listener.ts', 'node:http'), undefined);
    assert.deepEqual(
      circleIn(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'a']],
        ]),
      ),
      ['a', 'b', 'a'],
    );
  });

  it('are seen however an import is written', () => {
    const code = `
      import type { A } from './a.ts';
      import { type B, b } from '../b.ts';
      export type { C } from './c.ts';
      type D = import('./d.ts').D;
      const e = import('node:fs');
    `;
    const { files, packages } = importsIn('src/shared/x/x.ts', code);
    assert.deepEqual(
      [...files],
      ['src/shared/x/a.ts', 'src/shared/b.ts', 'src/shared/x/c.ts', 'src/shared/x/d.ts'],
    );
    assert.deepEqual([...packages], ['node:fs']);
  });
});

describe('the features of the editor', () => {
  it('see each other through their doors', () => {
    const inside = 'src/editor/listener/listener.ts';
    const breach = /feature listener through its feature\.ts/;
    assert.match(importViolation('src/editor/deliveries/deliveryFiles.ts', inside) ?? '', breach);
    assert.match(importViolation('src/editor/kit/commands.ts', inside) ?? '', breach);
    assert.equal(importViolation('src/editor/listener/output/deliveriesOutput.ts', inside), undefined);
    assert.equal(importViolation('src/extension.ts', inside), undefined);
    assert.equal(importViolation('src/editor/run/send.ts', 'src/editor/listener/feature.ts'), undefined);
    assert.equal(importViolation('src/editor/run/send.ts', 'src/editor/kit/prompts.ts'), undefined);
  });
});

/** A way from a module back to itself, or undefined where there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  const follow = (module: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(module)) return [...way.slice(way.indexOf(module)), module];
    if (finished.has(module)) return undefined;
    for (const next of graph.get(module) ?? []) {
      const circle = follow(next, [...way, module]);
      if (circle) return circle;
    }
    finished.add(module);
    return undefined;
  };
  for (const module of graph.keys()) {
    const circle = follow(module, []);
    if (circle) return circle;
  }
  return undefined;
}
