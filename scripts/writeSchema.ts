import { writeFile } from 'node:fs/promises';
import { settingsFileSchema } from '../src/model/settings/appSettingsSchema.ts';

// Writes media/runhook.schema.json anew: run it after a change of the fields (`npm run schema`).
const text = `${JSON.stringify(settingsFileSchema(), undefined, 2)}\n`;
await writeFile(new URL('../media/runhook.schema.json', import.meta.url), text);
