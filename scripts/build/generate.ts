import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsFileSchema, settingsSchema } from '../../src/model/settings/appSettingsSchema.ts';
import openApi from '../../src/sandbox/management/openapi.json' with { type: 'json' };
import { root } from '../checkout.ts';
import { formatted } from './formatted.ts';
import { languages, readBundle, sourceBundle, writeBundle } from '../l10n/bundles.ts';
import { commandsPage } from '../commands/commandsPage.ts';
import { commandTable } from '../commands/commandTable.ts';
import { keybindingsSchema } from '../commands/keybindingsSchema.ts';
import { collectMessages, sourceProgram } from '../l10n/messages.ts';
import { runMain, ScriptError } from '../runMain.mjs';
import { launchChromium } from '../test/chromium.ts';
import { deliverySchema } from './deliverySchema.ts';
import { bundleMetafiles } from './package.ts';
import { thirdPartyNotices } from './thirdPartyNotices.ts';

/** What is checked in and written by a script. Tests fail where that was forgotten. */
const generated: Record<string, () => Promise<void>> = {
  /** What there is to translate. Drops translations of what is gone, and names what is still to be translated. */
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

  /** The settings in what the sandbox serves; the rest of it is written by hand. */
  openapi() {
    const schemas = { ...openApi.components.schemas, AppSettings: settingsSchema() };
    const whole = { ...openApi, components: { ...openApi.components, schemas } };
    return writeFormatted('src/sandbox/management/openapi.json', JSON.stringify(whole));
  },

  /** What the editor knows of settings files and of fixtures. */
  async schema() {
    await writeFormatted('media/runhook.schema.json', JSON.stringify(settingsFileSchema(), undefined, 2));
    await writeFormatted('media/delivery.schema.json', JSON.stringify(deliverySchema(), undefined, 2));
  },

  /** docs/commands.md, and what keybindings.json offers for the arguments of commands. */
  async commands() {
    const entries = commandTable();
    await writeFormatted('docs/commands.md', commandsPage(entries));
    await writeFormatted('media/keybindings.schema.json', JSON.stringify(keybindingsSchema(entries)));
  },

  /** vsce takes no SVG as an icon. */
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
  const write = generated[name];
  if (write === undefined) throw new ScriptError(`Name one of: ${Object.keys(generated).join(', ')}.`);
  await write();
});
