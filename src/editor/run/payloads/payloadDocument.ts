import * as vscode from 'vscode';
import { secretVariableKey, usualSecretVariable } from '../../../service/signature/webhookSecret.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { mendedBy, UserError } from '../../../shared/text/userError.ts';
import { requireTrust } from '../../kit/requireTrust.ts';
import type { WebhookSecrets } from '../../listener/feature.ts';
import type { Tokens } from '../../projects/feature.ts';
import { DeclinedError, lastUsedFirst, type Prompts } from '../../kit/prompts.ts';
import { exactText, openFile } from '../../kit/files.ts';
import {
  fillVariables,
  inputOf,
  optionsOf,
  type Payload,
  type PayloadInput,
  type PayloadVariable,
  plainPayload,
  readEnvironment,
  readPayload,
  variablesIn,
} from './payload.ts';

/** What the variables of a payload are filled from. */
export interface FillParts {
  context: Pick<vscode.ExtensionContext, 'environmentVariableCollection' | 'workspaceState'>;
  tokens: Pick<Tokens, 'values'>;
  secrets: Pick<WebhookSecrets, 'store'>;
  prompts: Prompts;
}

/** A payload as it is written. */
export interface WrittenPayload {
  uri: vscode.Uri;
  text: string;
  payload: Payload;
}

/** A payload as it is sent. */
interface FilledPayload {
  payload: Payload;
  /** The environment variables that it reads. */
  reads: readonly PayloadVariable[];
  /** The payload as written. Kept instead if the filled one contains environment values or passwords. */
  kept?: Payload;
  /** Whether it contains a password that the user was asked for. */
  hasPassword: boolean;
}

/**
 * Reads a document, including unsaved changes.
 * @param saved whether to save it first
 */
export async function readPayloadDocument(uri: vscode.Uri, saved: boolean): Promise<WrittenPayload> {
  const document = await openFile(uri);
  if (document.isDirty && saved) await document.save();
  return openedIfWrong(uri, async () => {
    const text = await exactText(document);
    return { uri, text, payload: readPayload(text) };
  });
}

/**
 * Fills in the variables: asks for the inputs, and reads the environment. Sends nothing.
 * @throws UserError if a variable has no value, DeclinedError if the user gives none for an input
 */
export async function fillPayload(
  parts: FillParts,
  { uri, text, payload }: WrittenPayload,
): Promise<FilledPayload> {
  return openedIfWrong(uri, async () => {
    const plain = plainPayload(text);
    const variables = variablesIn(plain);
    const values = await valuesOf(parts, uri, variables, payload);
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

async function valuesOf(
  parts: FillParts,
  uri: vscode.Uri,
  variables: readonly PayloadVariable[],
  payload: Payload,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  const fromEnvironment = variables.some(({ kind }) => kind === 'env') ? await environment(parts) : () => '';
  // Inputs come last, so that nobody answers them only to learn that a variable is not set.
  const ordered = [...variables].sort((a, b) => Number(a.kind === 'input') - Number(b.kind === 'input'));
  for (const one of ordered) {
    if (values.has(keyOf(one))) continue;
    const value =
      one.kind === 'input'
        ? await askInput(parts, uri, inputOf(one.name, payload.inputs))
        : one.kind === 'env'
          ? fromEnvironment(one.name)
          : folderText(uri, one);
    values.set(keyOf(one), value);
  }
  return values;
}

async function environment({ context, tokens, secrets }: FillParts): Promise<(name: string) => string> {
  // guard S55: The environment is not read before the workspace is trusted.
  requireTrust(
    t('The payload reads environment variables, but this workspace is not trusted. Trust it first.'),
  );
  const [tokenValues, store] = await Promise.all([tokens.values(), secrets.store()]);
  const held = [...tokenValues, ...(await store.texts())];
  const given = context.workspaceState.get<string>(secretVariableKey, usualSecretVariable);
  const handedOut = [usualSecretVariable, given, ...replaced(context.environmentVariableCollection)];
  return (name) => readEnvironment(name, { environment: process.env, handedOut, held });
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
        '{0} needs a workspace folder, but this payload is outside all open folders.',
        plainText(`\${${kind}}`),
      ),
    );
  }
  const { path } = folder.uri;
  if (kind === 'workspaceFolderBasename') return path.slice(path.lastIndexOf('/') + 1);
  return folder.uri.scheme === 'file' ? folder.uri.fsPath : folder.uri.toString();
}

/** Adds a remedy to errors: opening the document that contains the problem. */
async function openedIfWrong<T>(uri: vscode.Uri, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof DeclinedError) throw error;
    throw mendedBy(error, [{ kind: 'openFile', uri: uri.toString() }]);
  }
}

const answersKey = 'run.payloadAnswers';
/** How many files have remembered answers, and how long a remembered answer may be, in characters. */
const mostFiles = 200;
const longestAnswer = 10_000;

/** The answers to the inputs of each file, the last file at the end. */
type InputAnswers = [file: string, answers: Record<string, string>][];

/**
 * Asks for the value of an input, and remembers it for the next time unless it is a password.
 * @throws DeclinedError if no answer was given
 */
async function askInput(
  { prompts, context: { workspaceState } }: FillParts,
  file: vscode.Uri,
  input: PayloadInput,
): Promise<string> {
  const key = file.toString();
  const all = (): InputAnswers => workspaceState.get(answersKey, []);
  const known = (): Record<string, string> => all().find(([one]) => one === key)?.[1] ?? {};
  const last = Object.hasOwn(known(), input.id) ? known()[input.id] : input.default;
  const answer = await askFor(prompts, input, last);
  if (answer === undefined) throw new DeclinedError(t('Nothing was run.'));
  const isSecret = input.type === 'promptString' && input.password === true;
  if (!isSecret && answer.length <= longestAnswer) {
    const others = all().filter(([one]) => one !== key);
    const entry: InputAnswers[number] = [key, { ...known(), [input.id]: answer }];
    await workspaceState.update(answersKey, [...others, entry].slice(-mostFiles));
  }
  return answer;
}

function askFor(
  prompts: Prompts,
  input: PayloadInput,
  last: string | undefined,
): Promise<string | undefined> {
  // The description may come from somebody else.
  const prompt = plainText(input.description ?? input.id, 300);
  if (input.type === 'pickString') {
    const choices = optionsOf(input).map(({ label, value }) => ({ label: plainText(label), value }));
    return prompts.pick(
      prompt,
      lastUsedFirst(choices, ({ value }) => value === last),
    );
  }
  const { password = false } = input;
  return prompts.input({
    ...{ title: t('Payload Input'), prompt, password },
    value: (password ? input.default : last) ?? '',
  });
}
