import { measureTree } from '../bench/treeOpening.ts';
import { session } from '../support/workbench/session.ts';

describe('10,000 keys', () => {
  // How soon, says `npm run bench:tree`.
  it('are in the tree at first and after each refresh, and the palette opens meanwhile', async () => {
    await measureTree(await session(), 10_000, 3);
  });
});
