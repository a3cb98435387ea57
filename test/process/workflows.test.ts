import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';

const { devDependencies } = readJson(join(root, 'package.json')) as {
  devDependencies: Record<string, string>;
};

describe('the workflows', () => {
  const files = globSync('.github/workflows/*.yml', { cwd: root });

  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');

    it(`${file} may read the repository, and nothing else`, () => {
      assert.equal(text.match(/^permissions:\n(?: +.*\n)+/m)?.[0], 'permissions:\n  contents: read\n');
      // The one job that says what was made of what runs nothing of the repository.
      const attest = /^ {2}attest:\n(?: {3,}.*\n)*/m.exec(text)?.[0] ?? '';
      assert.doesNotMatch(text.replace(attest, ''), /^ +permissions:/m);
      assert.doesNotMatch(attest, /run:|checkout|secrets\b/);
      assert.deepEqual(
        attest.match(/\w[\w-]*: write/g),
        attest === '' ? null : ['id-token: write', 'attestations: write'],
      );
    });

    it(`${file} takes actions by their commits, not by tags that can be moved`, () => {
      const actions = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action ?? '');
      assert.ok(actions.length > 0);
      for (const action of actions) assert.match(action, /^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    });
  }

  describe('that publishes', () => {
    const text = readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8');
    const publish = text.slice(text.indexOf('\n  publish:\n'));
    const steps = publish
      .slice(publish.indexOf('    steps:\n'))
      .split(/^ {6}- /m)
      .slice(1);

    it('says of both files what they were made of, before one is published', () => {
      const attest = text.slice(text.indexOf('\n  attest:\n'), text.indexOf(publish));
      assert.match(attest, /uses: actions\/attest-build-provenance@/);
      assert.match(attest, /subject-path: \|\n +runhook\.vsix\n +runhook-cli\.tgz$/);
      assert.match(publish, /needs: \[package, attest\]\n/);
    });

    it('publishes what is on main, and no tag beside it', () => {
      const [, check = ''] = /name: the tag is on main\n +run: (.*)\n/.exec(text) ?? [];
      assert.match(text, /fetch-depth: 0\n +- name: the tag is on main\n/);
      assert.ok(text.indexOf(check) < text.indexOf('run: bash .ci/run'));
      const folder = mkdtempSync(join(tmpdir(), 'runhook-'));
      const git = (line: string) =>
        spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...line.split(' ')], { cwd: folder });
      git('init -q -b main');
      git('commit -q --allow-empty -m one');
      git('commit -q --allow-empty -m two');
      // As a checkout has the branches of the server.
      git('update-ref refs/remotes/origin/main main');
      const isOnMain = () => spawnSync(check, { cwd: folder, shell: true }).status === 0;
      assert.ok(isOnMain());
      git('checkout -q --detach HEAD~1');
      assert.ok(isOnMain());
      git('commit -q --allow-empty -m beside');
      assert.ok(!isOnMain());
      rmSync(folder, { recursive: true });
    });

    it('keeps what was packaged beside each other: the extension, and the command line', () => {
      const before = text.slice(text.indexOf('run: npm run package\n'), text.indexOf(publish));
      const uploads = before
        .split(/^ {6}- /m)
        .filter((step) => step.startsWith('uses: actions/upload-artifact@'));
      assert.deepEqual(
        uploads.map((step) => /\n +path: (.*)\n +if-no-files-found: error\b/.exec(step)?.[1]),
        ['runhook.vsix', 'runhook-cli.tgz'],
      );
    });

    it('takes its programs from a lockfile: nothing is fetched by a name alone', () => {
      for (const file of files) {
        assert.doesNotMatch(
          readFileSync(join(root, file), 'utf8'),
          /\bnpx\b|npm (?:i|install|exec)\b|@latest/,
        );
      }
      assert.match(publish, /working-directory: \.github\/publish\n +run: npm ci --ignore-scripts/);
      const folder = join(root, '.github/publish');
      const { dependencies } = readJson(join(folder, 'package.json')) as {
        dependencies: Record<string, string>;
      };
      assert.deepEqual(Object.keys(dependencies), ['@vscode/vsce', 'ovsx']);
      assert.equal(dependencies['@vscode/vsce'], devDependencies['@vscode/vsce']);
      const { packages } = readJson(join(folder, 'package-lock.json')) as {
        packages: Record<string, { version: string; integrity: string }>;
      };
      for (const [path, { version, integrity }] of Object.entries(packages)) {
        if (path !== '') assert.match(`${version} ${integrity}`, /^\d+\.\d+\.\d+\S* sha512-/, path);
      }
      for (const [name, version] of Object.entries(dependencies)) {
        assert.equal(packages[`node_modules/${name}`]?.version, version);
      }
    });

    it('gives its tokens to the step that publishes, and to no other', () => {
      const before = text.slice(0, text.indexOf(publish)) + publish.slice(0, publish.indexOf('    steps:\n'));
      assert.doesNotMatch(before, /secrets\b/);
      assert.ok(steps.length > 3);
      const last = steps.at(-1) ?? '';
      assert.deepEqual(
        steps.filter((step) => /secrets\b/.test(step)),
        [last],
      );
      assert.deepEqual(last.match(/secrets\.\w+/g), ['secrets.VSCE_PAT', 'secrets.OVSX_PAT']);
      assert.doesNotMatch(last, /uses:|npm|bash/);
      assert.match(publish, /environment: marketplaces\n/);
    });

    it('publishes nothing that has a known weakness', () => {
      assert.match(text, /run: npm audit --omit=dev --audit-level=high\n +- run: npm run package\n/);
    });
  });
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
