import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { heldValues } from '../../../src/editor/agents/tools.ts';
import { languageModelTool, type Tool } from '../../../src/editor/agents/tool.ts';
import { webhookSecrets } from '../../../src/editor/listener/secrets/webhookSecrets.ts';
import { Tokens } from '../../../src/editor/projects/tokens.ts';
import { readableSecrets } from '../../../src/editor/features.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';

const owner = { origin: 'https://api.example', projectId: 'p', serviceAccountId: 'sa' };
const [token, secret] = ['the-token-that-is-held', 'the-secret-that-is-held'];

describe('a tool for language models', () => {
  const log = vscode.window.createOutputChannel('Tool Guard', { log: true });
  let secrets: MemorySecrets;
  let cancel: vscode.CancellationTokenSource;
  let isLocked: boolean;
  let runs: number;
  beforeEach(() => {
    secrets = new MemorySecrets();
    cancel = new vscode.CancellationTokenSource();
    [isLocked, runs] = [false, 0];
  });
  after(() => log.dispose());

  /** Calls a tool whose work is given, with a secret store that may be locked. */
  async function invoke(run: Tool<'listProjects'>['run']): Promise<string> {
    const get = async (key: string) => {
      if (isLocked) throw new Error(`Locked: ${key}`);
      return secrets.get(key);
    };
    const { onDidChange } = secrets;
    const store = readableSecrets({
      ...{ get, onDidChange, keys: () => secrets.keys(), delete: (key: string) => secrets.delete(key) },
      store: (key: string, value: string) => secrets.store(key, value),
    });
    const tokens = new Tokens(store, new MemoryMemento());
    const held = webhookSecrets(store, { all: () => [] });
    await tokens.set(owner, token);
    const tool = languageModelTool(
      'listProjects',
      {
        listProjects: {
          progress: () => 'Listing',
          run: async (input, signal) => {
            runs += 1;
            await (await held.store()).set(secret);
            return run(input, signal);
          },
        },
      },
      { held: () => heldValues({ projects: { all: () => [] }, tokens, secrets: held }), log },
    );
    const result = await tool.invoke({ input: {}, toolInvocationToken: undefined }, cancel.token);
    const [part] = result?.content ?? [];
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return part.value;
  }

  it('masks what was held before it ran, and what has been made meanwhile', async () => {
    assert.equal(
      await invoke(() => [token, secret, 'else']),
      JSON.stringify(['••••••••', '••••••••', 'else'], undefined, 2),
    );
  });

  it('masks what it fails with, and leaves what is not meant for a reader to the log', async () => {
    const failing = (error: Error) => () => {
      throw error;
    };
    await assert.rejects(
      invoke(failing(new UserError(`No ${token}, no ${secret}.`))),
      /^UserError: No •{8}, no •{8}\.$/,
    );
    await assert.rejects(
      invoke(failing(new TypeError('x.y is not a function'))),
      /failed\. See the log of Runhook for the reason/,
    );
  });

  it('does nothing where the secret store cannot be read, and says so', async () => {
    isLocked = true;
    await assert.rejects(
      invoke(() => [token]),
      /The secret store of the editor cannot be read/,
    );
    assert.equal(runs, 0);
  });

  it('tells nothing where the secret store cannot be read any more', async () => {
    const locking = () => {
      isLocked = true;
      return [token];
    };
    await assert.rejects(invoke(locking), /The secret store of the editor cannot be read/);
  });

  it('leaves an id as it is, though somebody has a short secret that is a word of it', async () => {
    const values = ['acme', 'hunter2', 'a-secret-of-acme'];
    const held = await heldValues({
      projects: { all: () => [{ id: 'acme.live', serviceAccounts: [{ id: 'ci' }], apps: [] }] },
      tokens: { values: () => Promise.resolve(values) },
      secrets: webhookSecrets(new MemorySecrets(), { all: () => [] }),
    });
    assert.deepEqual(held, ['hunter2', 'a-secret-of-acme']);
  });

  it('is over as soon as its call is cancelled, and its work is aborted', async () => {
    let given: AbortSignal | undefined;
    const running = invoke((_, signal) => {
      given = signal;
      cancel.cancel();
      return new Promise(() => undefined);
    });
    await assert.rejects(running, vscode.CancellationError);
    assert.ok(given?.aborted);
  });
});
