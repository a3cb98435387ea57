import assert from 'node:assert/strict';
import { readFileSync, globSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../../../../scripts/checkout.ts';
import { failureReason, failureText } from '../../../../src/shared/http/failureReason.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';
import { valueProblem } from '../../../../src/shared/text/valueProblem.ts';

/** The error of something that fails. */
async function errorOf(failing: Promise<unknown>): Promise<unknown> {
  return failing.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => error,
  );
}

const reason = (error: unknown) => failureReason(error);

describe('why something failed', () => {
  it('is said in words where the system tells it by a code', async () => {
    assert.equal(reason(await errorOf(readFile('/nowhere/at/all'))), 'it does not exist');
    assert.equal(reason(await errorOf(readFile(root))), 'it is a folder');
    assert.equal(reason(await errorOf(rm(root))), 'it is a folder');
    assert.equal(
      reason(await errorOf(readFile(join(root, 'package.json', 'x')))),
      'a part of its path is not a folder',
    );
    const refused = await new Promise((resolve) => connect(1, '127.0.0.1').on('error', resolve));
    assert.equal(reason(refused), 'nothing listens there');
  });

  it('is found in what caused it, and in words of the editor', () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    assert.equal(reason(new Error('outer', { cause: full })), 'the disk is full');
    assert.equal(reason(new AggregateError([full])), 'the disk is full');
    const ofEditor = new Error(
      "Unable to write file '/x' (Unknown (FileSystemError): Error: ENOSPC: no space left)",
    );
    assert.equal(reason(Object.assign(ofEditor, { code: 'Unknown' })), 'the disk is full');
    assert.equal(reason(Object.assign(new Error('Entry'), { code: 'FileNotFound' })), 'it does not exist');
  });

  it('is what an expected error says', () => {
    assert.equal(
      reason(new Error('outer', { cause: new UserError('Open a folder first.') })),
      'Open a folder first.',
    );
  });

  it('is left to the log where only a library has words for it', () => {
    for (const error of [
      new TypeError('x is not a function'),
      new Error('[UriError]: Scheme'),
      'text',
      undefined,
    ]) {
      assert.equal(reason(error), undefined);
      assert.equal(failureText(error), 'see the log of Runhook for the reason');
    }
  });
});

describe('what is wrong with a value', () => {
  const schema = v.strictObject({
    text: v.exactOptional(v.pipe(v.string(), v.nonEmpty())),
    port: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9))),
    flag: v.exactOptional(v.boolean()),
    list: v.exactOptional(v.array(v.strictObject({ id: v.string() }))),
    map: v.exactOptional(v.record(v.string(), v.string())),
    mode: v.exactOptional(v.picklist(['a', 'b'])),
    either: v.exactOptional(v.union([v.string(), v.boolean()])),
  });
  const rows: [unknown, string][] = [
    [3, '"the whole" must be an object.'],
    [{ text: 3 }, '"text" must be text.'],
    [{ text: undefined }, '"text" must be text.'],
    [{ text: '' }, '"text" must not be empty.'],
    [{ port: '1' }, '"port" must be a number.'],
    [{ port: 0.5 }, '"port" must be a whole number.'],
    [{ port: -1 }, '"port" must be 0 or more.'],
    [{ port: 10 }, '"port" must be 9 or less.'],
    [{ flag: 'yes' }, '"flag" must be true or false.'],
    [{ list: {} }, '"list" must be a list.'],
    [{ list: [{}] }, '"list.0.id" is missing.'],
    [{ list: [3] }, '"list.0" must be an object.'],
    [{ map: 3 }, '"map" must be an object.'],
    [{ map: { a: 1 } }, '"map.a" must be text.'],
    [{ mode: 'c' }, '"mode" must be one of "a" | "b".'],
    [{ either: 3 }, '"either" has a value that is not valid.'],
    [{ txt: 'x' }, '"txt" is unknown. Is it spelled correctly?'],
  ];
  for (const [value, expected] of rows) {
    it(`is said of ${JSON.stringify(value)}`, () => {
      const read = v.safeParse(schema, value);
      assert.equal(valueProblem(read.issues![0], 'the whole'), expected);
    });
  }
});

/** Where the words of an error may stand, since it is one of Runhook's own, or nobody reads it but a log. */
const allowed: Record<string, string> = {
  'src/shared/rpc/rpc.ts': 'hands errors on between threads and programs',
  'src/shared/http/failureReason.ts': 'looks for a code in them',
  'src/editor/kit/pagePanel.ts': 'logs them',
  'src/editor/deliveries/fixtures/fixtureFiles.ts': 'of a UserError',
  'src/editor/kit/errorSurface.ts': 'of a UserError',
  'src/editor/testing/fixtureRuns.ts': 'of a UserError',
  'src/editor/tasks/callTasks.ts': 'of a command, which rejects with what a user can read',
  'src/deliveries/localTls.ts': 'looks for a code in them',
  'src/deliveries/sendRequest.ts': 'stand for the code of an error that has none',
  'src/service/client/managementClient.ts': 'of a UserError',
  'src/service/client/runClient.ts': 'of an EncodingError',
  'src/service/encoding/decodedBody.ts': 'of an EncodingError',
};

describe('the words of libraries', () => {
  it('are shown to no user', () => {
    const found = globSync('src/{editor,deliveries,leaks,service,shared,suite}/**/*.ts', { cwd: root })
      // It plays the service.
      .filter((file) => !file.startsWith('src/service/sandbox/'))
      .filter((file) =>
        /\b(error|issue|issues\[0\]|cause|reason)\.message\b|reason: String\(error\)/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      )
      .sort();
    assert.deepEqual(found, Object.keys(allowed).sort());
  });
});
