import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { settingsFileSchema } from '../../../../scripts/build/settingsSchema.ts';
import { parseSettingsFile, settingsFileText } from '../../../../src/service/settings/settingsFile.ts';

const parse = (text: string) => parseSettingsFile(text);

describe('a settings file', () => {
  it('comes back as it was written', () => {
    const file = { app: 'hello', project: 'p-1', settings: { gpuCount: 2, memory: '0.5' } };
    assert.deepEqual(parse(settingsFileText(file)), file);
  });

  const refused: [string, RegExp][] = [
    ['{', /not JSON/],
    ['[]', /must have this form/],
    ['{"settings": {}}', /must have this form/],
    ['{"app": "", "settings": {}}', /must have this form/],
    ['{"app": "a", "settings": {}, "token": "x"}', /must have this form/],
    ['{"app": "a", "settings": {"gpuCount": 9}}', /gpuCount: Enter 8 or less/],
    ['{"app": "a", "settings": []}', /JSON object/],
  ];
  for (const [text, reason] of refused) {
    it(`refuses ${text}`, () => assert.throws(() => parse(text), reason));
  }

  it('has the schema that the fields make: `npm run schema` writes it anew', async () => {
    const path = new URL('../../../../media/runhook.schema.json', import.meta.url);
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), settingsFileSchema());
  });
});
