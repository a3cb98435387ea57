// Writes src/sandbox/management/openapi.json, the checked-in copy of what the sandbox serves.
import { writeFile } from 'node:fs/promises';
import * as prettier from 'prettier';
import { openApi } from '../src/sandbox/management/openApi.ts';

const file = new URL('../src/sandbox/management/openapi.json', import.meta.url);
await writeFile(file, await prettier.format(JSON.stringify(openApi), { parser: 'json', printWidth: 110 }));
