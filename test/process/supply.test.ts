import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { copiedFiles } from '../../esbuild.mjs';
import { bundleMetafiles } from '../../scripts/build/package.ts';
import { root } from '../../scripts/checkout.ts';

/** What a package.json and its lockfile say, so far as it is asked here. */
interface Manifest {
  dependencies: Record<string, string>;
}
interface LockedPackage {
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Lockfile {
  packages: Record<string, LockedPackage>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** `node_modules/@lit/x` of a file in it, wherever the checkout is; undefined for a file of ours. */
const packageOf = (file: string): string | undefined =>
  /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

describe('what ships of others', () => {
  const { dependencies } = read('package.json') as Manifest;
  const { packages } = read('package-lock.json') as Lockfile;
  /** Those that `npm audit --omit=dev` looks at. What is a peer of another is there for development alone. */
  const audited = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
    .map(([path]) => path);
  let metafiles: Metafile[];
  let shipped: Set<string>;

  before('bundles the extension', async () => {
    metafiles = await bundleMetafiles();
    const files = [...metafiles.flatMap(({ inputs }) => Object.keys(inputs)), ...copiedFiles];
    shipped = new Set(files.flatMap((file) => packageOf(file) ?? []));
  });

  it('is counted by an audit of the dependencies', () => {
    assert.ok(shipped.size > 3);
    assert.deepEqual(
      [...shipped].filter((path) => !audited.includes(path)),
      [],
    );
  });

  it('is what the sources ask for, and nothing else is a dependency', () => {
    const asked = metafiles.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { imports }]) =>
        packageOf(file) === undefined ? imports.flatMap(({ path }) => packageOf(path) ?? []) : [],
      ),
    );
    // The bundle of undici is that package and nothing of ours.
    const entries = metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap(({ entryPoint }) => (entryPoint && packageOf(entryPoint)) ?? []),
    );
    const direct = new Set([...asked, ...entries, ...copiedFiles.flatMap((file) => packageOf(file) ?? [])]);
    assert.deepEqual(
      [...direct].map((path) => path.replace('node_modules/', '')).sort(),
      Object.keys(dependencies).sort(),
    );
  });

  it('is all that an audit counts, but for parts of Lit that are not used', () => {
    assert.deepEqual(
      audited.filter((path) => !shipped.has(path)).map((path) => path.replace('node_modules/', '')),
      ['@lit-labs/ssr-dom-shim', '@lit/context', '@types/trusted-types'],
    );
  });

  it('is of one version each, to the letter', () => {
    for (const [name, version] of Object.entries(dependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+$/);
      assert.equal(packages[`node_modules/${name}`]?.version, version, name);
    }
  });
});

describe('the lockfile', () => {
  it('holds what each of its packages asks for on any platform: npm ci fails without', () => {
    const { packages } = read('package-lock.json') as Lockfile;
    const held = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')));
    const asked = Object.values(packages).flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    );
    assert.deepEqual(
      asked.filter((name) => !held.has(name)),
      [],
    );
  });
});
