import * as vscode from 'vscode';
import type { Payload } from '../../model/runs/payload.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { suffixes } from '../ids.ts';
import { givenFile } from '../prompts/givenFile.ts';
import type { AppRef } from '../projects/feature.ts';
import type { LastChoices, RunWay } from './lastChoices.ts';
import type { PayloadReader, WrittenPayload } from './payloads/payloadReader.ts';
import type { GivenPayload, Payloads } from './payloads/payloads.ts';
import type { GivenApp, RunChoices } from './runChoices.ts';
import type { PrepareOptions } from './runner.ts';

/** A file to run an app with: the document in front where it is left out. */
export interface GivenFile extends GivenApp {
  file?: string | undefined;
  webhook?: boolean;
  confirmed?: boolean;
  /** How to run it is not asked. */
  quiet?: boolean;
}

/** A call that is about to be made, and what a question says of it. */
export interface GivenCall {
  input: RunInput;
  options: PrepareOptions;
  /** Whether what is sent holds a password that was asked for. */
  hasPassword?: boolean;
}

/** How a payload is run: an address of its own may stand for the listener. */
type PayloadWay = Omit<RunWay, 'webhook'> & { webhook: boolean | string };

/** A document that was read, and the payload that it is; undefined for any other JSON file. */
export type ReadFile = WrittenPayload & { file: GivenPayload | undefined };

export interface FileCallsParts {
  payloads: Payloads;
  reader: PayloadReader;
  choices: RunChoices;
  last: LastChoices;
}

/** The only way from a file to a call. */
export class FileCalls {
  readonly #parts: FileCallsParts;

  constructor(parts: FileCallsParts) {
    this.#parts = parts;
  }

  /** What a file is run with; nothing is sent on the way. */
  async ofFile(given: GivenFile, mayAsk: boolean): Promise<GivenCall> {
    const { payloads, choices, last } = this.#parts;
    const { confirmed = false, quiet = false } = given;
    const written = await this.read(await this.uriOf(given));
    const app = picked(await this.#appOf(given, written));
    const said = given.webhook === undefined ? this.wayOf(app, written.payload) : { webhook: given.webhook };
    if (written.file === undefined) {
      const usual = quiet ? { webhook: false } : undefined;
      return this.of(app, written, said ?? usual ?? picked(await choices.way(app)), confirmed);
    }
    const unasked = mayAsk && !quiet ? undefined : { webhook: false };
    const way = said ?? unasked ?? picked(await choices.lastWay(app));
    await payloads.use({ ...written.file, ...app });
    if (written.file.place === 'workspace') await last.rememberProjectOf(app);
    await last.rememberWay(app, { ...way, webhook: way.webhook !== false });
    return this.of(app, written, way, confirmed);
  }

  /** @throws UserError where no file is given, and none is open */
  async uriOf({ file }: GivenFile): Promise<vscode.Uri> {
    const inFront = vscode.window.activeTextEditor?.document.uri;
    const uri = file === undefined ? inFront : await givenFile(file);
    if (uri !== undefined) return uri;
    throw new UserError(t('Open the JSON file to run an app with first.'), {
      remedies: [{ kind: 'pickFile' }, { kind: 'runApp' }],
    });
  }

  /** A payload of this machine is its app's; of any other file the caller says it, then the file, then its folder. */
  async #appOf(given: GivenApp, { file, payload }: ReadFile): Promise<AppRef | undefined> {
    const { choices } = this.#parts;
    if (file?.place === 'machine') return choices.app(file);
    const { appName = payload.app ?? file?.appName, projectId = payload.project } = given;
    return choices.appOfFile({ appName, projectId });
  }

  /** What a payload says of its webhook; signed as the app's webhooks were last. */
  wayOf(app: AppRef, { webhook }: Payload): PayloadWay | undefined {
    if (webhook === undefined) return undefined;
    const signing = webhook === false ? undefined : this.#parts.last.way(app)?.signing;
    return { webhook, ...(signing && { signing }) };
  }

  /** What a document holds, saved or not; a payload is saved on the way. */
  async read(uri: vscode.Uri): Promise<ReadFile> {
    const { payloads, reader } = this.#parts;
    const file = await payloads.at(uri);
    return { ...(await reader.read(uri, file !== undefined)), file };
  }

  /** What is sent, with what its variables stand for, and what a question says of it. */
  async of(app: AppRef, written: ReadFile, way: PayloadWay, confirmed = false): Promise<GivenCall> {
    const { payload, reads, kept, hasPassword } = await this.#parts.reader.fill(written);
    const { uri, file } = written;
    const options = {
      ...{ confirmed, reads, document: uri },
      ...(kept && { kept: inputWith(app, kept, way) }),
      payload: file?.name ?? vscode.workspace.asRelativePath(uri),
      // What a repository may have brought along is asked for.
      ...(file?.place !== 'machine' && { file: uri }),
    };
    return { input: inputWith(app, payload, way), options, hasPassword };
  }
}

/** The payload document in front. */
export function payloadInFront(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.path.endsWith(suffixes.payload) === true ? uri : undefined;
}

/** What a payload has the app called with. */
function inputWith(
  { projectId, appName }: AppRef,
  { path, query, method, headers, body, webhook: own }: Payload,
  { webhook, signing }: PayloadWay,
): RunInput {
  // An address of the payload's own is where its webhook goes, whichever way the webhook was chosen.
  const to = webhook !== false && typeof own === 'string' ? own : webhook;
  return {
    ...{ projectId, appName, path, method, headers, webhook: to },
    ...(query && { query }),
    ...(body !== undefined && { body }),
    ...(signing && { signing }),
  };
}

/** What was picked; whoever picked nothing has declined. */
export function picked<T>(choice: T | undefined): T {
  if (choice === undefined) throw new DeclinedError(t('Nothing was run.'));
  return choice;
}
