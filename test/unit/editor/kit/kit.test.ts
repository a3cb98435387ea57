import assert from 'node:assert/strict';
import { ServiceError, UnreachableError } from '../../../../src/service/client/errors.ts';
import { PortTakenError } from '../../../../src/editor/kit/retryPort.ts';
import { mendedFor, remediesOf } from '../../../../src/editor/kit/defaultRemedies.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';
import {
  BackError,
  type Choice,
  inputNote,
  type InputOptions,
  multiStep,
  type PickOptions,
  type Question,
} from '../../../../src/editor/kit/prompts.ts';
import { AnsweredPrompts } from '../../../support/editor/answeredPrompts.ts';

const kinds = (error: UserError): string[] => remediesOf(error).map(({ kind }) => kind);

describe('what mends an error that does not say so itself', () => {
  const cases: [what: string, error: UserError, remedies: string[]][] = [
    ['a token that is refused', new ServiceError('no', 401), ['setToken', 'openApiKeysPage']],
    ['a token that may be refused', new ServiceError('no', 403), ['setToken', 'openApiKeysPage']],
    ['a token without access', new ServiceError('token has no access to this app', 403), ['tryAgain']],
    ['an app that the service does not know', new ServiceError('no', 404), ['openSettings']],
    ['a value that the service does not accept', new ServiceError('no', 422), []],
    ['a service that has too much to do', new ServiceError('no', 429), ['tryAgain']],
    ['a service that fails', new ServiceError('no', 503), ['tryAgain']],
    [
      'a service that cannot be reached now',
      new UnreachableError('no', { passing: true }),
      ['tryAgain', 'openSettings'],
    ],
    ['an address that nobody has', new UnreachableError('no', { passing: false }), ['openSettings']],
    ['a port that is taken', new PortTakenError('no'), ['useAnotherPort', 'openSettings']],
    ['what nobody can mend', new UserError('no'), []],
  ];
  for (const [what, error, remedies] of cases) {
    it(`${what}: ${remedies.join(', ') || 'nothing'}`, () => assert.deepEqual(kinds(error), remedies));
  }

  it('is never asked of one that says so', () => {
    const error = new ServiceError('no', 401);
    error.remedies = [{ kind: 'startSandbox' }];
    assert.deepEqual(kinds(error), ['startSandbox']);
  });

  it('is a token of the account that was rejected, whichever is in use by then', () => {
    const ref = { projectId: 'p', serviceAccountId: 'sa-live' };
    const mended = (error: UserError) =>
      remediesOf(mendedFor(error, ref, { ownService: () => undefined }) as UserError)[0];
    assert.deepEqual(mended(new ServiceError('no', 401)), { kind: 'setToken', ...ref });
    assert.deepEqual(mended(new ServiceError('no', 503)), { kind: 'tryAgain' });
  });

  it('is another address of the project that the call was of, where it has addresses of its own', () => {
    const [ref, service] = [
      { projectId: 'p', serviceAccountId: 'sa-live' },
      { baseUrl: 'https://api.example', proxyUrl: '' },
    ];
    const mended = (ofOwn: string, error: UserError) => {
      const projects = { ownService: (id: string) => (id === ofOwn ? service : undefined) };
      return remediesOf(mendedFor(error, ref, projects) as UserError);
    };
    const unreachable = () => new UnreachableError('no', { passing: true });
    const setAddress = { kind: 'setAddress', projectId: 'p' };
    assert.deepEqual(mended('p', unreachable()), [{ kind: 'tryAgain' }, setAddress]);
    assert.deepEqual(mended('p', new ServiceError('no', 404)), [setAddress]);
    assert.equal(mended('another', unreachable())[1]?.kind, 'openSettings');
  });
});

const nothing = { a: '', b: '', c: '' };
type Answers = typeof nothing;
type Name = keyof Answers;

/** Answers in turn; an Error is thrown. Notes each question with its number, and what it offers. */
class NotingPrompts extends AnsweredPrompts {
  override input({ title, value, step }: InputOptions): Promise<string | undefined> {
    return this.#answer(title, value, step);
  }

  override pick<T>(title: string, _: readonly Choice<T>[], options?: PickOptions<T>): Promise<T | undefined> {
    return this.#answer(title, options?.active, options?.step) as Promise<T | undefined>;
  }

  #answer(title: string, value: unknown, step: InputOptions['step']): Promise<string | undefined> {
    this.asked.push(
      `${title} ${step?.number}/${step?.of}${(step?.number ?? 0) > 1 ? ' ‹' : ''} ${String(value)}`,
    );
    const answer = this.answers.shift();
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve(answer as string | undefined);
  }
}

describe('a multi-step input', () => {
  let prompts: NotingPrompts;

  const text = (field: Name, applies?: (answers: Answers) => boolean): Question<Answers> => ({
    field,
    ...(applies && { applies }),
    ask: () => ({ title: field, prompt: '' }),
  });
  const ask = async (questions: Question<Answers>[], ...answers: unknown[]) => {
    prompts.answers = answers;
    return multiStep(prompts, questions, nothing);
  };
  const never = () => false;

  beforeEach(() => {
    prompts = new NotingPrompts();
  });

  it('numbers its questions, and gives the answers without white space around them', async () => {
    assert.deepEqual(await ask([text('a'), text('b'), text('c')], ' 1 ', '2', '3'), {
      a: '1',
      b: '2',
      c: '3',
    });
    assert.deepEqual(prompts.asked, ['a 1/3 ', 'b 2/3 ‹ ', 'c 3/3 ‹ ']);
  });

  it('keeps what a text becomes, and shows that on the way back', async () => {
    const address: Question<Answers> = {
      field: 'a',
      ask: () => ({ title: 'a', prompt: '', becomes: (typed) => `http://${typed.trim()}` }),
    };
    const back = new BackError();
    assert.deepEqual(await ask([address, text('b')], ' x ', back, 'y', '2'), {
      a: 'http://y',
      b: '2',
      c: '',
    });
    assert.equal(prompts.asked[2], 'a 1/2 http://x');
  });

  it('leaves out what does not apply', async () => {
    assert.deepEqual(await ask([text('a', never), text('b'), text('c', never)], '2'), { ...nothing, b: '2' });
    assert.deepEqual(prompts.asked, ['b 1/1 ']);
  });

  it('leads back to what was asked before, where the answer is offered again', async () => {
    const back = new BackError('half');
    await ask([text('a'), text('b', never), text('c')], '1', back, '1', '3');
    assert.deepEqual(prompts.asked, ['a 1/2 ', 'c 2/2 ‹ ', 'a 1/2 1', 'c 2/2 ‹ half']);
  });

  it('asks by what was answered before', async () => {
    const pick: Question<Answers> = { field: 'a', ask: () => ({ title: 'a', choices: [] }) };
    const isNew = ({ a }: Answers) => a === 'new';
    const questions = [pick, text('b', isNew), text('c')];
    assert.deepEqual(await ask(questions, 'new', new BackError(), 'old', '3'), { a: 'old', b: '', c: '3' });
    assert.deepEqual(prompts.asked, ['a 1/2 ', 'b 2/3 ‹ ', 'a 1/3 new', 'c 2/2 ‹ ']);
  });

  it('has no answers where the user leaves, and ends with what else a question throws', async () => {
    assert.equal(await ask([text('a'), text('b')], '1', undefined), undefined);
    await assert.rejects(ask([text('a'), text('b')], '1', new Error('broken')), /broken/);
  });
});

describe('the note below an input', () => {
  const prompt = 'The address of your handler.';
  const options = { title: '', prompt, becomes: (text: string) => `http://${text.trim()}` };

  it('shows what a text becomes behind the prompt, and nothing where it stays as it is', () => {
    assert.deepEqual(inputNote(options, ' a:1 '), { message: `${prompt} → http://a:1`, isWarning: false });
    assert.equal(inputNote({ ...options, becomes: (text) => text }, 'http://a:1'), undefined);
    assert.equal(inputNote({ title: '', prompt }, 'a'), undefined);
  });

  it('shows it beside a warning', () => {
    const note = inputNote({ ...options, warn: () => 'It leaves this machine.' }, 'a');
    const message = `${prompt} → http://a · It leaves this machine.`;
    assert.deepEqual(note, { message, isWarning: true });
  });
});
