import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { copiedFiles } from '../../esbuild.mjs';
import { root } from '../checkout.ts';

interface Notice {
  /** `undici 8.12.4` */
  name: string;
  homepage: string;
  /** The licence texts, without duplicates. */
  texts: Set<string>;
}

interface Package {
  name: string;
  version: string;
  homepage?: string;
  repository?: { url?: string };
}

/** Third-party code that a package contains without its licence. `files` is the prefix of its paths. */
const embeddedCode = [
  {
    files: 'node_modules/undici/lib/llhttp/',
    name: 'llhttp, inside undici',
    homepage: 'https://github.com/nodejs/llhttp',
    text: readFileSync(join(root, 'scripts', 'build', 'llhttp.txt'), 'utf8'),
  },
];

/**
 * The licences of all third-party code in the VSIX, as Markdown: of bundled packages and copied files.
 * @throws Error if a package has no licence text, since it must not be shipped
 */
export function thirdPartyNotices(metafiles: readonly Metafile[]): string {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const notices = new Map<string, Notice>();
  for (const file of [...files, ...copiedFiles]) {
    const folder = packageFolder(file);
    if (folder !== undefined) addLicences(noticeOf(notices, folder), folder, file);
    const inside = embeddedCode.find((one) => file.startsWith(one.files));
    if (inside) notices.set(inside.name, { ...inside, texts: new Set([inside.text]) });
  }
  const sorted = [...notices.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  for (const { name, texts } of sorted) if (texts.size === 0) throw new Error(`${name} has no licence text.`);
  return `${[intro, ...sorted.map(section)].join('\n\n')}\n`;
}

const intro =
  '# Third-party notices\n\n' +
  'Runhook contains the software below. This file is written by `npm run notices`, from what the build bundles.';

function section({ name, homepage, texts }: Notice): string {
  const blocks = [...texts].map((text) => `\`\`\`text\n${text.trim()}\n\`\`\``);
  return [`## ${name}`, `<${homepage}>`, ...blocks].join('\n\n');
}

/** The package folder of a file, such as `node_modules/@lit/x`; undefined for our own files. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function noticeOf(notices: Map<string, Notice>, folder: string): Notice {
  const { name, version, homepage, repository } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as Package;
  const title = `${name} ${version}`;
  const address = homepage ?? repository?.url?.replace(/^git\+/, '').replace(/\.git$/, '') ?? '';
  const notice = notices.get(title) ?? { name: title, homepage: address, texts: new Set() };
  notices.set(title, notice);
  return notice;
}

/** Adds the licences in the file's folder and its parents up to the package, since subfolders may have their own. */
function addLicences({ texts }: Notice, packageRoot: string, file: string): void {
  for (let folder = dirname(file); folder.startsWith(packageRoot); folder = dirname(folder)) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      if (!/^(licen[cs]e|notice|copying)/i.test(name)) continue;
      texts.add(readFileSync(join(root, folder, name), 'utf8').replace(/^\uFEFF/, ''));
    }
  }
}
