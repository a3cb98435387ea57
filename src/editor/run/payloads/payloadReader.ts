import * as vscode from 'vscode';
import {
  readEnvironment,
  inputOf,
  fillVariables,
  type PayloadVariable,
  variablesIn,
  type Payload,
  plainPayload,
  readPayload,
  optionsOf,
  type PayloadInput,
} from './payload.ts';
import { secretVariableKey, usualSecretVariable } from '../../../model/secrets/secretVariable.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { mendedBy, UserError } from '../../../model/text/userError.ts';
import type { WebhookSecrets } from '../../listener/feature.ts';
import type { Tokens } from '../../projects/feature.ts';
import { requireTrust } from '../../errors/requireTrust.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { exactText, openFile } from '../../prompts/givenFile.ts';
import { lastUsedFirst } from '../../prompts/lastUsedFirst.ts';
import type { Prompts } from '../../prompts/prompts.ts';

export interface PayloadReaderParts {
  context: Pick<vscode.ExtensionContext, 'environmentVariableCollection' | 'workspaceState'>;
  tokens: Pick<Tokens, 'values'>;
  secrets: Pick<WebhookSecrets, 'store'>;
  answers: PayloadAnswers;
  environment: Readonly<Record<string, unknown>>;
}

/** A payload as it is written. */
export interface WrittenPayload {
  uri: vscode.Uri;
  text: string;
  payload: Payload;
}

/** A payload as it is sent. */
export interface FilledPayload {
  payload: Payload;
  /** The environment variables that it reads. */
  reads: readonly PayloadVariable[];
  /** The payload as written. Kept instead if the filled one contains environment values or passwords. */
  kept?: Payload;
  /** Whether it contains a password that the user was asked for. */
  hasPassword: boolean;
}

/** Reads payload documents, and fills in their variables. */
export class PayloadReader {
  readonly #parts: PayloadReaderParts;

  constructor(parts: PayloadReaderParts) {
    this.#parts = parts;
  }

  /**
   * Reads a document, including unsaved changes.
   * @param saved whether to save it first
   */
  async read(uri: vscode.Uri, saved: boolean): Promise<WrittenPayload> {
    const document = await openFile(uri);
    if (document.isDirty && saved) await document.save();
    return this.#mended(uri, async () => {
      const text = await exactText(document);
      return { uri, text, payload: readPayload(text) };
    });
  }

  /**
   * Fills in the variables: asks for the inputs, and reads the environment. Sends nothing.
   * @throws UserError if a variable has no value, DeclinedError if the user gives none for an input
   */
  async fill({ uri, text, payload }: WrittenPayload): Promise<FilledPayload> {
    return this.#mended(uri, async () => {
      const plain = plainPayload(text);
      const variables = variablesIn(plain);
      const values = await this.#values(uri, variables, payload);
      // guard S56: A value stays within the text that it is put into, whatever it contains.
      const filled = fillVariables(plain, (one) => values.get(keyOf(one)) ?? '');
      // Without variables and comments, the payload is sent byte for byte.
      if (filled === plain) return { payload, reads: [], hasPassword: false };
      const reads = variables.filter(({ kind }) => kind === 'env');
      const hasPassword = variables.some((one) => one.kind === 'input' && isPassword(one, payload));
      return {
        payload: readPayload(filled),
        ...{ reads, hasPassword },
        ...((reads.length > 0 || hasPassword) && { kept: payload }),
      };
    });
  }

  async #values(uri: vscode.Uri, variables: readonly PayloadVariable[], payload: Payload) {
    const values = new Map<string, string>();
    const read = variables.some(({ kind }) => kind === 'env') ? await this.#environment() : undefined;
    // Inputs come last, so that nobody answers them only to learn that a variable is not set.
    const ordered = [...variables].sort((a, b) => Number(a.kind === 'input') - Number(b.kind === 'input'));
    for (const one of ordered) {
      if (values.has(keyOf(one))) continue;
      const value =
        one.kind === 'input'
          ? await this.#parts.answers.ask(uri, inputOf(one.name, payload.inputs))
          : one.kind === 'env'
            ? (read?.(one.name) ?? '')
            : folderText(uri, one);
      values.set(keyOf(one), value);
    }
    return values;
  }

  async #environment(): Promise<(name: string) => string> {
    // guard S55: The environment is not read before the workspace is trusted.
    requireTrust(t('The payload reads the environment, and this workspace is not trusted. Trust it first.'));
    const { context, tokens, secrets, environment } = this.#parts;
    const [tokenValues, store] = await Promise.all([tokens.values(), secrets.store()]);
    const held = [...tokenValues, ...(await store.texts())];
    const given = context.workspaceState.get<string>(secretVariableKey, usualSecretVariable);
    const handedOut = [usualSecretVariable, given, ...replaced(context.environmentVariableCollection)];
    return (name) => readEnvironment(name, { environment, handedOut, held });
  }

  /** Adds a remedy to errors: opening the document that contains the problem. */
  async #mended<T>(uri: vscode.Uri, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (error instanceof DeclinedError) throw error;
      throw mendedBy(error, [{ kind: 'openFile', uri: uri.toString() }]);
    }
  }
}

/** The variables that Runhook sets in terminals, replacing any other value. */
function replaced(collection: vscode.EnvironmentVariableCollection): string[] {
  return [...collection]
    .filter(([, { type }]) => type === vscode.EnvironmentVariableMutatorType.Replace)
    .map(([name]) => name);
}

function keyOf({ kind, name }: PayloadVariable): string {
  return `${kind}:${name}`;
}

function isPassword({ name }: PayloadVariable, { inputs = [] }: Payload): boolean {
  return inputs.some((one) => one.id === name && one.type === 'promptString' && one.password === true);
}

/** The value of a folder variable: for the payload's folder, else for the only open one. */
function folderText(uri: vscode.Uri, { kind }: PayloadVariable): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? (folders.length === 1 ? folders[0] : undefined);
  if (folder === undefined) {
    throw new UserError(
      t(
        '{0} needs a workspace folder, and this payload is outside of all open folders.',
        plainText(`\${${kind}}`),
      ),
    );
  }
  const { path } = folder.uri;
  if (kind === 'workspaceFolderBasename') return path.slice(path.lastIndexOf('/') + 1);
  return folder.uri.scheme === 'file' ? folder.uri.fsPath : folder.uri.toString();
}

const answersKey = 'run.payloadAnswers';
/** How many files have remembered answers, and how long a remembered answer may be, in characters. */
const mostFiles = 200;
const longest = 10_000;

/** Asks for the values of `${input:…}` in a payload, and remembers them for the next time, except passwords. */
export class PayloadAnswers {
  readonly #prompts: Prompts;
  readonly #memento: vscode.Memento;

  /** @param memento of the workspace */
  constructor(prompts: Prompts, memento: vscode.Memento) {
    this.#prompts = prompts;
    this.#memento = memento;
  }

  /** @throws DeclinedError if no answer was given */
  async ask(file: vscode.Uri, input: PayloadInput): Promise<string> {
    const known = this.#answersOf(file);
    const last = Object.hasOwn(known, input.id) ? known[input.id] : input.default;
    const answer = await this.#answer(input, last);
    if (answer === undefined) throw new DeclinedError(t('Nothing was run.'));
    const isSecret = input.type === 'promptString' && input.password === true;
    if (!isSecret && answer.length <= longest) await this.#remember(file, input.id, answer);
    return answer;
  }

  #answer(input: PayloadInput, last: string | undefined): Promise<string | undefined> {
    // The description may come from somebody else.
    const prompt = plainText(input.description ?? input.id, 300);
    if (input.type === 'pickString') {
      const choices = optionsOf(input).map(({ label, value }) => ({ label: plainText(label), value }));
      return this.#prompts.pick(
        prompt,
        lastUsedFirst(choices, ({ value }) => value === last),
      );
    }
    const { password = false } = input;
    return this.#prompts.input({
      ...{ title: t('Input of the payload'), prompt, password },
      value: (password ? input.default : last) ?? '',
    });
  }

  #answersOf(file: vscode.Uri): Record<string, string> {
    return this.#all().find(([one]) => one === file.toString())?.[1] ?? {};
  }

  #all(): [file: string, answers: Record<string, string>][] {
    return this.#memento.get(answersKey, []);
  }

  async #remember(file: vscode.Uri, id: string, answer: string): Promise<void> {
    const key = file.toString();
    const others = this.#all().filter(([one]) => one !== key);
    const entry: [string, Record<string, string>] = [key, { ...this.#answersOf(file), [id]: answer }];
    await this.#memento.update(answersKey, [...others, entry].slice(-mostFiles));
  }
}
