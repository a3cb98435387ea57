import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './checkout.ts';
import { launchChromium } from './chromium.ts';
import { runMain } from './runMain.mjs';

// `node scripts/bootstrap.mjs drawIcon`: media/icon.png from scripts/icon.svg. vsce takes no SVG as an icon.
await runMain(async () => {
  const svg = await readFile(join(root, 'scripts', 'icon.svg'), 'utf8');
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
  await page.setContent(`<body style="margin:0">${svg}</body>`);
  await writeFile(join(root, 'media', 'icon.png'), await page.screenshot({ omitBackground: true }));
  await browser.close();
});
