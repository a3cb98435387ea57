import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsFileSchema, settingsSchema } from './settingsSchema.ts';
import openApi from '../../src/service/sandbox/management/openapi.json' with { type: 'json' };
import { root } from '../checkout.ts';
import { formatted } from './formatted.ts';
import { languages, readBundle, readManifestBundle, sourceBundle, writeBundle } from '../l10n/bundles.ts';
import { commandsPage } from '../commands/commandsPage.ts';
import { keybindingsSchema } from '../commands/keybindingsSchema.ts';
import { type Manifest, manifestOf, titlesOf } from '../commands/manifest.ts';
import { collectMessages, sourceProgram } from '../l10n/messages.ts';
import { runMain, ScriptError } from '../runMain.mjs';
import { launchChromium } from '../test/chromium.ts';
import { deliverySchema } from './deliverySchema.ts';
import { bundleMetafiles } from './package.ts';
import { thirdPartyNotices } from './thirdPartyNotices.ts';

/** Writes the generated files that are checked in. Tests fail if one is out of date. */
const generators: Record<string, () => Promise<void>> = {
  /** Updates l10n/: removes unused translations and prints missing ones. */
  messages() {
    const { sources, checker } = sourceProgram();
    const messages = collectMessages(sources, checker);
    writeBundle(sourceBundle(messages));
    for (const language of languages()) {
      const translated = readBundle(language);
      const entries = messages.flatMap((message) => {
        const translation = translated[message];
        return translation === undefined ? [] : [[message, translation] as const];
      });
      writeBundle(Object.fromEntries(entries), language);
      for (const message of messages.filter((one) => translated[one] === undefined)) {
        console.log(`${language}: ${JSON.stringify(message)}`);
      }
    }
    return Promise.resolve();
  },

  async notices() {
    await writeFile(join(root, 'THIRD-PARTY-NOTICES.md'), thirdPartyNotices(await bundleMetafiles()));
  },

  /** Updates the schema of the app settings in the sandbox's OpenAPI document, which is otherwise written by hand. */
  openapi() {
    const schemas = { ...openApi.components.schemas, AppSettings: settingsSchema() };
    const whole = { ...openApi, components: { ...openApi.components, schemas } };
    return writeFormatted('src/service/sandbox/management/openapi.json', JSON.stringify(whole));
  },

  /** The JSON schemas for settings files and fixtures. */
  async schema() {
    await writeFormatted('media/runhook.schema.json', JSON.stringify(settingsFileSchema(), undefined, 2));
    await writeFormatted('media/delivery.schema.json', JSON.stringify(deliverySchema(), undefined, 2));
  },

  /** What follows from the commands: documentation, the schema of their arguments, commands and menus of the manifest. */
  async commands() {
    await writeFormatted('docs/commands.md', commandsPage());
    await writeFormatted('media/keybindings.schema.json', JSON.stringify(keybindingsSchema()));
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
    await writeFormatted('package.json', JSON.stringify(manifestOf(manifest)));
    await writeFormatted('package.nls.json', JSON.stringify(titlesOf(readManifestBundle()), undefined, 2));
  },

  /** The PNG of the icon, since vsce rejects SVG. */
  async icon() {
    const svg = await readFile(join(root, 'media', 'source', 'icon.svg'), 'utf8');
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
    await page.setContent(`<body style="margin:0">${svg}</body>`);
    await writeFile(join(root, 'media', 'icon.png'), await page.screenshot({ omitBackground: true }));
    await browser.close();
  },
};

async function writeFormatted(path: string, text: string): Promise<void> {
  await writeFile(join(root, path), await formatted(path, text));
}

await runMain(async () => {
  const [name = ''] = process.argv.slice(2);
  const write = generators[name];
  if (write === undefined) throw new ScriptError(`Name one of: ${Object.keys(generators).join(', ')}.`);
  await write();
});
