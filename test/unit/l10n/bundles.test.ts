import assert from 'node:assert/strict';
import { languages, readBundle, readManifestBundle } from '../../../scripts/l10n/bundles.ts';

/** What a translation has to keep: arguments, icons, links, names of settings and headers. */
const parts = (text: string): string[] =>
  [...text.matchAll(/\{\d\}|\$\([\w-]+\)|\(command:[\w.]+\)|runhook\.[\w.]+|X-[\w-]+/g)]
    .map(([part]) => part)
    .sort();

describe('the bundles of messages', () => {
  it('are there in German and Japanese', () => {
    assert.deepEqual(languages(), ['de', 'ja']);
  });

  for (const language of languages()) {
    for (const [what, english, translated] of [
      ['the messages', readBundle(), readBundle(language)],
      ['the manifest', readManifestBundle(), readManifestBundle(language)],
    ] as const) {
      describe(`${what} in ${language}`, () => {
        it('translate nothing that is gone', () => {
          assert.deepEqual(
            Object.keys(translated).filter((key) => english[key] === undefined),
            [],
          );
        });

        it('leave nothing to English', () => {
          const missing = Object.keys(english).filter((key) => !translated[key]?.trim());
          assert.deepEqual(missing, []);
        });

        it('keep arguments, icons, links and names', () => {
          for (const [key, translation] of Object.entries(translated)) {
            const unique = (text: string) => [...new Set(parts(text))];
            assert.deepEqual(unique(translation), unique(english[key] ?? ''), translation);
          }
        });

        it('are not English under another name', () => {
          const same = Object.keys(translated).filter(
            (key) => translated[key] === english[key] && /\p{L}{3,} \p{L}{3,}/u.test(translated[key] ?? ''),
          );
          assert.deepEqual(same, []);
        });
      });
    }
  }
});
