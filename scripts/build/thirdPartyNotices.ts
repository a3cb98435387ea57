import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { copiedFiles } from '../../esbuild.mjs';
import { root } from '../checkout.ts';

interface Notice {
  /** `undici 8.12.4` */
  name: string;
  homepage: string;
  /** The texts of its licences, each once. */
  texts: Set<string>;
}

interface Package {
  name: string;
  version: string;
  homepage?: string;
  repository?: { url?: string };
}

/** Code that a package has inside it without its licence: by the beginning of the path of its files. */
const embedded = [
  {
    files: 'node_modules/undici/lib/llhttp/',
    name: 'llhttp, inside undici',
    homepage: 'https://github.com/nodejs/llhttp',
    text: readFileSync(join(root, 'scripts', 'build', 'llhttp.txt'), 'utf8'),
  },
];

/**
 * The licences of everything that is in the VSIX and is not ours, as Markdown: of what esbuild has bundled,
 * and of the files that are copied.
 * @throws Error where a package has no licence text: it may not be shipped
 */
export function thirdPartyNotices(metafiles: readonly Metafile[]): string {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const notices = new Map<string, Notice>();
  for (const file of [...files, ...copiedFiles]) {
    const folder = packageFolder(file);
    if (folder !== undefined) addLicences(noticeOf(notices, folder), folder, file);
    const inside = embedded.find((one) => file.startsWith(one.files));
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

/** `node_modules/@lit/x` of a file in it, or undefined for a file of ours. */
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

/** The licences from the folder of a file up to that of its package: a part may have one of its own. */
function addLicences({ texts }: Notice, packageRoot: string, file: string): void {
  for (let folder = dirname(file); folder.startsWith(packageRoot); folder = dirname(folder)) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      if (!/^(licen[cs]e|notice|copying)/i.test(name)) continue;
      texts.add(readFileSync(join(root, folder, name), 'utf8').replace(/^\uFEFF/, ''));
    }
  }
}
