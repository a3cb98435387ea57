import assert from 'node:assert/strict';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { valuesOf, variableProblem, withVariable } from '../../../../src/editor/listener/secrets/envText.ts';
import { secretOfApp } from '../../../../src/editor/deliveries/secretOfApp.ts';
import {
  type HeldSecret,
  secretProblem,
  unsendableReason,
} from '../../../../src/service/signature/webhookSecret.ts';
import { signatureCases } from '../../../support/deliveries/signatureCases.ts';

const name = 'WEBHOOK_SECRET';
const written = (text: string, value = 'new') => withVariable(text, name, value);

describe('a variable of a .env file', () => {
  const cases: [string, before: string, after: string][] = [
    ['is added to an empty file', '', 'WEBHOOK_SECRET=new\n'],
    ['is added at the end', 'A=1\n', 'A=1\nWEBHOOK_SECRET=new\n'],
    ['is added on a line of its own', 'A=1', 'A=1\nWEBHOOK_SECRET=new\n'],
    ['is added with the line ends of the file', 'A=1\r\nB=2', 'A=1\r\nB=2\r\nWEBHOOK_SECRET=new\r\n'],
    ['is replaced', 'A=1\nWEBHOOK_SECRET=old\nB=2', 'A=1\nWEBHOOK_SECRET=new\nB=2'],
    [
      'is replaced between line ends of Windows',
      'WEBHOOK_SECRET=old\r\nB=2\r\n',
      'WEBHOOK_SECRET=new\r\nB=2\r\n',
    ],
    [
      'is replaced behind a mark of the encoding',
      '\xef\xbb\xbfWEBHOOK_SECRET=old\n',
      '\xef\xbb\xbfWEBHOOK_SECRET=new\n',
    ],
    ['is replaced behind export', ' export WEBHOOK_SECRET = old\n', ' export WEBHOOK_SECRET = new\n'],
    ['is replaced in quotes', `WEBHOOK_SECRET="o\\"ld" # a\n`, 'WEBHOOK_SECRET=new # a\n'],
    ['is replaced in quotes over lines', `WEBHOOK_SECRET='a\nb'\nB=2\n`, 'WEBHOOK_SECRET=new\nB=2\n'],
    ['is replaced before a comment', 'WEBHOOK_SECRET=o d  # "a"\n', 'WEBHOOK_SECRET=new  # "a"\n'],
    ['is replaced with the hash in it', 'WEBHOOK_SECRET=o#ld\n', 'WEBHOOK_SECRET=new\n'],
    ['is given a value', 'WEBHOOK_SECRET=\nB=2\n', 'WEBHOOK_SECRET=new\nB=2\n'],
    ['is given a value before a comment', 'WEBHOOK_SECRET= # a\n', 'WEBHOOK_SECRET=new # a\n'],
    [
      'is replaced with a quote that nothing ends',
      `WEBHOOK_SECRET="o ld\nB=2\n`,
      'WEBHOOK_SECRET=new\nB=2\n',
    ],
    [
      'is replaced wherever it stands',
      'WEBHOOK_SECRET=1\nWEBHOOK_SECRET=2\n',
      'WEBHOOK_SECRET=new\nWEBHOOK_SECRET=new\n',
    ],
    ['is none in a comment', '# WEBHOOK_SECRET=1\n', '# WEBHOOK_SECRET=1\nWEBHOOK_SECRET=new\n'],
    [
      'is none in the value of another',
      `A="\nWEBHOOK_SECRET=1\n"\n`,
      `A="\nWEBHOOK_SECRET=1\n"\nWEBHOOK_SECRET=new\n`,
    ],
    ['is none whose name is longer', 'MY_WEBHOOK_SECRET=1\n', 'MY_WEBHOOK_SECRET=1\nWEBHOOK_SECRET=new\n'],
  ];
  for (const [what, before, after] of cases) it(what, () => assert.equal(written(before), after));

  it('stands in quotes where its value needs some', () => {
    assert.equal(written('', 'a b#$c'), `WEBHOOK_SECRET='a b#$c'\n`);
    assert.equal(written('', `it's`), `WEBHOOK_SECRET="it's"\n`);
    assert.equal(written('', 'é'), `WEBHOOK_SECRET='\xc3\xa9'\n`);
    for (const value of ['a\nb', 'a\\b', `'"`, `'$`])
      assert.throws(() => written('', value), /cannot be written/);
  });

  it('has a name that every program can read', () => {
    for (const good of ['A', '_a1', name]) assert.equal(variableProblem(good), undefined);
    for (const bad of ['', '1A', 'A-B', 'A B', 'A=1', 'Ä'])
      assert.match(variableProblem(bad) ?? '', /letters/);
  });

  it('is read back by others, and every other line stays', () => {
    const key = fc.constantFrom('A', 'B_2', 'c.d', 'WEBHOOK_SECRET_2');
    const bare = fc.stringMatching(/^[\w./+-]{1,8}$/);
    const quotes = fc.constantFrom("'", '"', '`');
    // Node's own reader takes the next line for the value of an empty one behind a space.
    const value = fc.oneof(
      bare,
      fc.tuple(quotes, fc.stringMatching(/^[\w =#\n]{0,12}$/)).map(([quote, text]) => quote + text + quote),
    );
    const comment = fc.constantFrom('', ' # a', ` # it's`);
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom('', ' ', 'export '), key, fc.constant('='), value, comment)
        .map((parts) => parts.join('')),
      fc.constantFrom('', '# WEBHOOK_SECRET=1', 'no variable'),
    );
    const own = fc.option(
      fc.tuple(value, comment).map((parts) => `${name}=${parts.join('')}`),
      { nil: undefined },
    );
    const secret = fc
      .oneof(bare, fc.stringMatching(/^[\w #"$=-]{1,12}$/), fc.stringMatching(/^[\w #'=-]{1,12}$/))
      .filter((text) => text.trim() === text);
    fc.assert(
      fc.property(
        fc.array(line),
        own,
        fc.array(line),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        secret,
        (above, mine, below, lineEnd, isEnded, value) => {
          const lines = [...above, ...(mine === undefined ? [] : [mine]), ...below];
          const before = lines.join('\n').replaceAll('\n', lineEnd) + (isEnded ? lineEnd : '');
          const after = written(before, value);
          const parsed = parseEnv(after);
          assert.equal(parsed[name], value);
          assert.deepEqual({ ...parseEnv(before), [name]: value }, { ...parsed });
          const head = above.map((one) => one.replaceAll('\n', lineEnd) + lineEnd).join('');
          if (mine !== undefined) assert.ok(after.startsWith(head));
          else assert.ok(after.startsWith(before));
          assert.equal(written(after, value), after);
          assert.deepEqual([...new Set(valuesOf(after, name))], [value]);
        },
      ),
    );
  });
});

const ofApp = (projectId: string, secret: string, until?: number): HeldSecret => ({
  secret,
  owner: { kind: 'app', projectId, name: 'hello' },
  ...(until !== undefined && { until }),
});
const ofProject = (projectId: string, secret: string): HeldSecret => ({
  secret,
  owner: { kind: 'project', projectId, name: projectId },
});
const standard: HeldSecret = { secret: 'default', owner: { kind: 'default' } };

describe('the secret that deliveries of an app are signed with', () => {
  const projects = new Set(['p-1', 'p-2']);
  const cases: [what: string, held: HeldSecret[], secret: string | undefined][] = [
    [
      'its own, before that of its project',
      [ofProject('p-1', 'project'), ofApp('p-1', 'own'), standard],
      'own',
    ],
    ['that which it has now', [ofApp('p-1', 'old', 1), ofApp('p-1', 'new')], 'new'],
    ['that of its project', [ofProject('p-3', 'other'), ofProject('p-1', 'project')], 'project'],
    ['none where neither has one', [ofProject('p-3', 'other'), standard], undefined],
    ['none where two of that name have', [ofApp('p-1', 'a'), ofApp('p-2', 'b')], undefined],
    ['none where the projects of two have', [ofProject('p-1', 'a'), ofProject('p-2', 'b')], undefined],
  ];
  for (const [what, held, secret] of cases) {
    it(`is ${what}`, () => assert.equal(secretOfApp('hello', projects, held), secret));
  }
});

describe('a webhook secret', () => {
  it('can be whatever the vectors of other implementations are signed with', () => {
    const secrets = new Set(signatureCases.map(({ heldSecret }) => heldSecret).filter((one) => one !== ''));
    assert.ok(secrets.has('sécrèt-✓'));
    for (const secret of secrets) {
      assert.equal(secretProblem(secret), undefined, secret);
      assert.equal(unsendableReason(secret), undefined, secret);
    }
  });

  it('cannot be empty, half a character, or longer than any header', () => {
    assert.match(secretProblem('') ?? '', /is empty/);
    assert.match(secretProblem(' \n\t') ?? '', /is empty/);
    assert.match(secretProblem('a\ud83d') ?? '', /half a character/);
    assert.match(secretProblem('x'.repeat(4097)) ?? '', /longer than 4096 characters/);
    assert.equal(secretProblem('😀'.repeat(2048)), undefined);
  });

  it('can be what no header carries, and then no run sends it', () => {
    for (const [secret, reason] of [
      ['a\n', /line break/],
      ['a\u0000b', /control character/],
      ['a\u007f', /control character/],
      [' a', /white space/],
      ['a\t', /white space/],
    ] as const) {
      assert.equal(secretProblem(secret), undefined);
      assert.match(unsendableReason(secret) ?? '', reason);
    }
    // A tab within, and whatever is beyond ASCII, is no harm to a header of UTF-8 bytes.
    for (const secret of ['a\tb', 'a b', '\u00a0a', 'ü', '→']) {
      assert.equal(unsendableReason(secret), undefined, secret);
    }
  });
});
