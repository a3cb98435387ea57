import assert from 'node:assert/strict';
import type { Metafile } from 'esbuild';
import { bundleMetafiles } from '../../scripts/build/bundleMetafiles.ts';
import { packageWall, wallBetween } from '../../scripts/test/walls.mjs';

describe('the walls between the rooms', () => {
  const inputs: Metafile['inputs'] = {};

  before('bundles everything that ships', async () => {
    for (const bundle of await bundleMetafiles()) Object.assign(inputs, bundle.inputs);
  });

  it('see every entry', () => {
    for (const entry of [
      'extension.ts',
      'editor/features.ts',
      'commandLine/main.ts',
      'sandbox/main.ts',
      'form/main.ts',
    ]) {
      assert.ok(inputs[`src/${entry}`], `${entry} is not in the bundles`);
    }
  });

  it('hold', () => {
    const breaches = ownModules(inputs).flatMap(([from, { imports }]) =>
      imports.flatMap(({ path, external }) => {
        const name = packageName(path, external === true);
        const breach = name === undefined ? wallBetween(from, path) : packageWall(from, name);
        return breach === undefined ? [] : [`${from}: ${breach}`];
      }),
    );
    assert.deepEqual(breaches, []);
  });

  it('have no cycle between them', () => {
    const graph = new Map(
      ownModules(inputs).map(([from, { imports }]) => [from, imports.map(({ path }) => path)]),
    );
    assert.deepEqual(cycleIn(graph), undefined);
  });

  it('are seen where they are broken', () => {
    assert.match(wallBetween('src/model/keys/keys.ts', 'src/editor/log.ts') ?? '', /no other room/);
    assert.match(
      wallBetween('src/sandbox/main.ts', 'src/webhooks/diagnosis/diagnosis.ts') ?? '',
      /not webhooks/,
    );
    assert.equal(wallBetween('src/sandbox/main.ts', 'src/webhooks/signature/signature.ts'), undefined);
    assert.match(packageWall('src/model/keys/keys.ts', 'node:fs') ?? '', /may not import/);
    assert.match(packageWall('src/listener/intake/listener.ts', 'vscode') ?? '', /may not import/);
    assert.equal(packageWall('src/listener/intake/listener.ts', 'node:http'), undefined);
    assert.deepEqual(
      cycleIn(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'a']],
        ]),
      ),
      ['a', 'b', 'a'],
    );
  });
});

function ownModules(inputs: Metafile['inputs']): [string, Metafile['inputs'][string]][] {
  return Object.entries(inputs).filter(([path]) => path.startsWith('src/'));
}

/** The package that an import leads to, or undefined where it leads to a module of ours. */
function packageName(path: string, external: boolean): string | undefined {
  // A bundle of our own, looked at where it is made.
  if (external && path.startsWith('./')) return undefined;
  if (external) return path;
  if (path === 'once:vscode') return 'vscode';
  return /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
}

/** A way from a module back to itself, or undefined where there is none. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  const follow = (module: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(module)) return [...way.slice(way.indexOf(module)), module];
    if (finished.has(module)) return undefined;
    for (const next of graph.get(module) ?? []) {
      const cycle = follow(next, [...way, module]);
      if (cycle) return cycle;
    }
    finished.add(module);
    return undefined;
  };
  for (const module of graph.keys()) {
    const cycle = follow(module, []);
    if (cycle) return cycle;
  }
  return undefined;
}
