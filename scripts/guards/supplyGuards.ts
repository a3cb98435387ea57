import type { Guard } from './guard.ts';

const publish = '.github/workflows/publish.yml';
const workflows = 'unit/workflows.test.ts';

/** Against the publishing pipeline, and what ships of others. */
export const supplyGuards: readonly Guard[] = [
  {
    guard: 'what is bundled counts as a dependency',
    file: 'package-lock.json',
    is: '"node_modules/valibot": {',
    without: '"node_modules/valibot": {\n      "dev": true,',
    tests: { 'unit/supply.test.ts': ['is counted by an audit of the dependencies'] },
  },
  {
    guard: 'nothing is a dependency that is not bundled',
    file: 'package.json',
    is: '"dependencies": {',
    without: '"dependencies": {\n    "express": "5.3.0",',
    tests: {
      'unit/supply.test.ts': ['is what the sources ask for, and nothing else is a dependency'],
    },
  },
  {
    guard: 'publishing ends where an audit finds something',
    file: publish,
    is: 'run: npm audit --omit=dev --audit-level=high',
    without: 'run: true',
    tests: { [workflows]: ['publishes nothing that has a known weakness'] },
  },
  {
    guard: 'the programs that publish come from a lockfile',
    file: publish,
    is: 'run: .github/publish/node_modules/.bin/${{ matrix.command }} runhook.vsix',
    without: 'run: npx --yes ${{ matrix.command }} runhook.vsix',
    tests: { [workflows]: ['takes its programs from a lockfile: nothing is fetched by a name alone'] },
  },
  {
    guard: 'the tokens are in the one step that publishes',
    file: publish,
    is: '    environment: marketplaces\n',
    without: '    environment: marketplaces\n    env:\n      VSCE_PAT: ${{ secrets.VSCE_PAT }}\n',
    tests: { [workflows]: ['gives its tokens to the step that publishes, and to no other'] },
  },
  {
    guard: 'actions are named by their commits',
    file: publish,
    is: 'actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093',
    without: 'actions/download-artifact@v4',
    tests: { [workflows]: ['takes actions by their commits, not by tags that can be moved'] },
  },
];
