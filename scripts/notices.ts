import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleMetafiles } from './bundleMetafiles.ts';
import { root } from './checkout.ts';
import { runMain } from './runMain.mjs';
import { thirdPartyNotices } from './thirdPartyNotices.ts';

// `npm run notices`: THIRD-PARTY-NOTICES.md anew. A test fails where that was forgotten.
await runMain(async () => {
  await writeFile(join(root, 'THIRD-PARTY-NOTICES.md'), thirdPartyNotices(await bundleMetafiles()));
});
