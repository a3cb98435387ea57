import assert from 'node:assert/strict';
import { bundleMetafiles } from '../../scripts/build/package.ts';
import { packageViolation, importViolation, allowedWithoutVscode } from '../../scripts/test/lintRules.mjs';
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
    assert.match(importViolation('src/model/keys/keys.ts', 'src/editor/log.ts') ?? '', /no other room/);
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
    assert.equal(importViolation('src/editor/run/runner.ts', 'src/editor/listener/feature.ts'), undefined);
    assert.equal(importViolation('src/editor/run/runner.ts', 'src/editor/prompts/prompts.ts'), undefined);
  });

  it('hold nothing that could do without the editor', () => {
    const graph = importGraph();
    const free = unboundIn(graph, isListed);
    assert.deepEqual(free, [], 'move it to another room');
    const listed = unboundIn(graph, () => false).filter(isListed);
    for (const entry of Object.keys(allowedWithoutVscode)) {
      assert.ok(
        listed.some((file) => isUnder(file, entry)),
        `${entry} has come to need the editor: take it off the list`,
      );
    }
  });
});

describe('looking for what could do without the editor', () => {
  it('follows imports to vscode, and to what is bound to the editor anyway', () => {
    const code: [file: string, code: string][] = [
      ['src/editor/a.ts', "import type * as vscode from 'vscode';"],
      ['src/editor/b.ts', "import { a } from './a.ts';"],
      ['src/editor/ids.ts', ''],
      ['src/editor/c.ts', "import { ids } from './ids.ts';"],
      ['src/editor/free.ts', "import 'node:fs';"],
      ['src/model/d.ts', ''],
    ];
    const graph = new Map(code.map(([file, text]) => [file, importsIn(file, text)]));
    assert.deepEqual(unboundIn(graph, isListed), ['src/editor/free.ts']);
    assert.deepEqual(
      unboundIn(graph, () => false),
      ['src/editor/c.ts', 'src/editor/free.ts', 'src/editor/ids.ts'],
    );
  });
});

function isUnder(file: string, entry: string): boolean {
  const path = `src/${entry}`;
  return entry.endsWith('/') ? file.startsWith(path) : file === `${path}.ts`;
}

function isListed(file: string): boolean {
  return Object.keys(allowedWithoutVscode).some((entry) => isUnder(file, entry));
}

/** The files of `editor` from which no way of imports leads to `vscode`, nor to what is bound to the editor anyway. */
function unboundIn(graph: ReadonlyMap<string, Imports>, isBound: (file: string) => boolean): string[] {
  const reached = new Set(
    [...graph]
      .filter(([file, { packages }]) => packages.has('vscode') || isBound(file))
      .map(([file]) => file),
  );
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const [file, { files }] of graph) if ([...files].some((one) => reached.has(one))) reached.add(file);
  }
  return [...graph.keys()].filter((file) => file.startsWith('src/editor/') && !reached.has(file)).sort();
}

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
