import assert from 'node:assert/strict';
import { bundleMetafiles } from '../../scripts/build/package.ts';
import { packageViolation, importViolation } from '../../scripts/test/lintRules.mjs';
import { type Imports, importGraph, importsIn } from '../support/sources/importGraph.ts';

describe('the walls between the rooms', () => {
  let graph: ReadonlyMap<string, Imports>;
  before('reads all imports of src', () => {
    graph = importGraph();
  });

  it('see all that ships', async function () {
    this.timeout(60_000);
    const metafiles = await bundleMetafiles();
    const ours = metafiles
      .flatMap(({ inputs }) => Object.entries(inputs))
      .filter(([path]) => /^src\/.*\.ts$/.test(path));
    assert.ok(ours.length > 100);
    for (const [path, { imports }] of ours) {
      const seen = graph.get(path)?.files ?? new Set();
      const unseen = imports.filter((one) => one.path.startsWith('src/') && !seen.has(one.path));
      assert.deepEqual(unseen, [], path);
    }
  });

  it('hold, for types too', () => {
    const breaches = [...graph].flatMap(([from, { files, packages }]) =>
      [
        ...[...files].map((file) => importViolation(from, file)),
        ...[...packages].map((name) => packageViolation(from, name)),
      ].flatMap((breach) => (breach === undefined ? [] : [`${from}: ${breach}`])),
    );
    assert.deepEqual(breaches, []);
  });

  it('have no circle between them, for types neither', () => {
    assert.deepEqual(circleIn(new Map([...graph].map(([file, { files }]) => [file, [...files]]))), undefined);
  });

  it('are seen where they are broken', () => {
    assert.match(importViolation('src/files/folders.ts', 'src/editor/log.ts') ?? '', /no other room/);
    assert.match(
      importViolation('src/sandbox/main.ts', 'src/webhooks/diagnosis/diagnosis.ts') ?? '',
      /not webhooks/,
    );
    assert.equal(importViolation('src/sandbox/main.ts', 'src/webhooks/signature/signature.ts'), undefined);
    assert.match(packageViolation('src/model/keys/keys.ts', 'node:fs') ?? '', /may not import/);
    assert.match(packageViolation('src/listener/intake/listener.ts', 'vscode') ?? '', /may not import/);
    assert.equal(packageViolation('src/listener/intake/listener.ts', 'node:http'), undefined);
    assert.deepEqual(
      circleIn(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'a']],
        ]),
      ),
      ['a', 'b', 'a'],
    );
  });

  it('are seen however an import is written', () => {
    const code = `
      import type { A } from './a.ts';
      import { type B, b } from '../b.ts';
      export type { C } from './c.ts';
      type D = import('./d.ts').D;
      const e = import('node:fs');
    `;
    const { files, packages } = importsIn('src/model/x/x.ts', code);
    assert.deepEqual(
      [...files],
      ['src/model/x/a.ts', 'src/model/b.ts', 'src/model/x/c.ts', 'src/model/x/d.ts'],
    );
    assert.deepEqual([...packages], ['node:fs']);
  });
});

describe('the features of the editor', () => {
  it('see each other through their doors', () => {
    const inside = 'src/editor/listener/listener.ts';
    const breach = /feature listener through its feature\.ts/;
    assert.match(importViolation('src/editor/deliveries/deliveryFiles.ts', inside) ?? '', breach);
    assert.match(importViolation('src/editor/commands.ts', inside) ?? '', breach);
    assert.equal(importViolation('src/editor/listener/output/deliveriesOutput.ts', inside), undefined);
    assert.equal(importViolation('src/extension.ts', inside), undefined);
    assert.equal(importViolation('src/editor/run/send.ts', 'src/editor/listener/feature.ts'), undefined);
    assert.equal(importViolation('src/editor/run/send.ts', 'src/editor/prompts/prompts.ts'), undefined);
  });
});

/** A way from a module back to itself, or undefined where there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const finished = new Set<string>();
  const follow = (module: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(module)) return [...way.slice(way.indexOf(module)), module];
    if (finished.has(module)) return undefined;
    for (const next of graph.get(module) ?? []) {
      const circle = follow(next, [...way, module]);
      if (circle) return circle;
    }
    finished.add(module);
    return undefined;
  };
  for (const module of graph.keys()) {
    const circle = follow(module, []);
    if (circle) return circle;
  }
  return undefined;
}
