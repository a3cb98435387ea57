import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allCommands, commandIds } from '../../src/contract/commands.ts';
import { root } from '../../scripts/checkout.ts';
import { languages, readManifestBundle } from '../../scripts/l10n/bundles.ts';
import { contextIds, viewIds, walkthroughId } from '../../src/editor/kit/ids.ts';

interface Step {
  id: string;
  title: string;
  description: string;
  media: { image: string; altText: string };
  completionEvents: string[];
}

interface Manifest {
  contributes: {
    viewsWelcome: { view: string; contents: string }[];
    walkthroughs: { id: string; steps: Step[] }[];
  };
}

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const steps = contributes.walkthroughs[0]?.steps ?? [];
const words = readManifestBundle();
const resolved = (text: string, from = words): string => from[text.replaceAll('%', '')] ?? text;
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\(command:(?:toSide:)?([\w.]+)\)/g)].map(([, command]) => command ?? '');

describe('the walkthrough', () => {
  it('is one, in the order in which people walk', () => {
    assert.deepEqual(
      contributes.walkthroughs.map(({ id }) => id),
      [walkthroughId],
    );
    const ids = steps.map(({ id }) => id);
    assert.deepEqual(ids, ['sandbox', 'webhook', 'explanation', 'project', 'token']);
  });

  /**
   * VS Code looks at the keys with the first walkthrough that is opened in a window, and never checks off a step whose
   * condition holds by then: it waits for it to come true. What was done before comes true when Runhook has opened the
   * page, or else when the page leaves the front.
   */
  it('checks off each step by a context key of its own, whether it is true before VS Code looks or after', () => {
    const keys = steps.map(({ completionEvents }) => {
      const [first = ''] = completionEvents;
      const key = /^onContext:(\S+) /.exec(first)?.[1] ?? '';
      const page = 'gettingStartedPage';
      const other = [`activeEditor == ${page}`, `activeEditor != ${page}`, contextIds.walkthroughShown];
      assert.deepEqual(
        completionEvents,
        other.map((holds) => `onContext:${key} && ${holds}`),
      );
      return key;
    });
    assert.equal(new Set(keys).size, steps.length);
    const known = new Set<string>(Object.values(contextIds));
    for (const key of keys) assert.ok(known.has(key), key);
  });

  it('has a button in each step, and links that lead somewhere', () => {
    const targets = new Set<string>([
      ...Object.values(commandIds),
      ...Object.values(viewIds).map((view) => `${view}.focus`),
    ]);
    for (const { id, description } of steps) {
      const text = resolved(description);
      assert.match(text, /^\[[^\]]+\]\(command:[\w.:]+\)$/m, id);
      for (const link of linksOf(text)) assert.ok(targets.has(link), link);
    }
  });

  it('runs only what activation registers: it is there before the features are', () => {
    const activation = readFileSync(join(root, 'src/editor/activation/providers.ts'), 'utf8');
    const undeclared = allCommands.filter(({ title }) => title === undefined).map(({ id }) => id as string);
    const linked = steps.flatMap(({ description }) => linksOf(resolved(description)));
    for (const id of linked.filter((one) => undeclared.includes(one))) assert.ok(activation.includes(id), id);
  });

  it('has a picture for each step that is there', () => {
    for (const { media } of steps) assert.ok(existsSync(join(root, media.image)), media.image);
  });

  it('is linked from the empty view of projects', () => {
    const { contents = '' } = contributes.viewsWelcome.find(({ view }) => view === viewIds.projects) ?? {};
    assert.ok(linksOf(resolved(contents)).includes(commandIds.openWalkthrough));
  });

  for (const language of languages()) {
    it(`has the same links in ${language}`, () => {
      const translated = readManifestBundle(language);
      const welcome = contributes.viewsWelcome.map(({ contents }) => contents);
      for (const text of [...steps.map(({ description }) => description), ...welcome]) {
        assert.deepEqual(linksOf(resolved(text, translated)), linksOf(resolved(text)), text);
      }
    });
  }
});
