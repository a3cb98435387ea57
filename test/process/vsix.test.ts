import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { bundleMetafiles, packageExtension } from '../../scripts/build/package.ts';
import { root, workFolder } from '../../scripts/checkout.ts';
import { languages } from '../../scripts/l10n/bundles.ts';
import { thirdPartyNotices } from '../../scripts/build/thirdPartyNotices.ts';
import { verificationTargets } from '../../src/webhooks/signature/verificationCode.ts';
import { vsixFiles, vsixModes } from '../support/files/vsixFiles.ts';

const megabyte = 1024 * 1024;

interface Manifest {
  [key: string]: unknown;
  main: string;
  icon: string;
  repository: { url: string };
}

describe('the VSIX', () => {
  let folder: string;
  let path: string;
  let files: Map<string, Buffer>;
  let manifest: Manifest;
  const text = (name: string) => files.get(name)?.toString('utf8') ?? assert.fail(`${name} is not in it`);

  before('packs it, where npm test has not done so', async () => {
    await mkdir(workFolder, { recursive: true });
    folder = await mkdtemp(join(workFolder, 'vsix-'));
    path = process.env.RUNHOOK_VSIX ?? join(folder, 'runhook.vsix');
    // It rejects where vsce warns, or where its scanner finds a secret.
    if (process.env.RUNHOOK_VSIX === undefined) await packageExtension(path);
    files = await vsixFiles(path);
    manifest = JSON.parse(text('extension/package.json')) as Manifest;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('holds what is needed, and nothing else', async () => {
    const built = (await bundleMetafiles()).flatMap(({ outputs }) => Object.keys(outputs));
    const themes = ['dark', 'light', 'highContrast'];
    const steps = ['sandbox', 'webhook', 'explanation', 'project', 'token'];
    const expected = [
      ...built,
      'bin/runhook',
      'bin/runhook.cmd',
      'dist/codicons/codicon.css',
      'dist/codicons/codicon.ttf',
      'LICENSE.txt',
      'THIRD-PARTY-NOTICES.md',
      'SECURITY.md',
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
      'media/runhook.schema.json',
      'media/runhook.svg',
      ...steps.flatMap((step) => themes.map((theme) => `media/walkthrough/${step}-${theme}.png`)),
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
      const found = /sourceMappingURL=|\/home\/\w|\/Users\/\w|\/tmp\/\w/.exec(content.toString('latin1'));
      assert.equal(found?.[0], undefined, name);
    }
  });

  it('is at most 1 MB, pictures included', async () => {
    const { size } = await stat(path);
    assert.ok(size <= megabyte, `${size} bytes`);
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

  it('holds of undici what is used: at most 350 KB', () => {
    const { length } = files.get('extension/dist/undici.cjs')!;
    assert.ok(length > 0 && length <= 350 * 1024, `${length} bytes`);
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
