import * as vscode from 'vscode';
import type { Payload } from './payloads/payload.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import type { AppRef } from '../../model/projects/project.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { suffixes } from '../ids.ts';
import { givenFile } from '../prompts/givenFile.ts';
import type { LastChoices, RunWay } from './lastChoices.ts';
import type { PayloadReader, WrittenPayload } from './payloads/payloadReader.ts';
import type { GivenPayload, Payloads } from './payloads/payloads.ts';
import type { GivenApp, RunChoices } from './runChoices.ts';
import type { PrepareOptions } from './runner.ts';

/** A file to run an app with. Without `file`, the document in the active editor. */
export interface GivenFile extends GivenApp {
  file?: string | undefined;
  webhook?: boolean;
  confirmed?: boolean;
  /** Does not ask how to run the file. */
  quiet?: boolean;
}

/** A call that is about to be made, with what the questions to the user say about it. */
export interface GivenCall {
  input: RunInput;
  options: PrepareOptions;
  /** Whether the input contains a password that the user was asked for. */
  hasPassword?: boolean;
}

/** How a payload is run. The webhook may be an address of the payload's own in place of the listener. */
type PayloadWay = Omit<RunWay, 'webhook'> & { webhook: boolean | string };

/** A document that was read. `file` is its payload; undefined for any other JSON file. */
export type ReadFile = WrittenPayload & { file: GivenPayload | undefined };

export interface FileCallsParts {
  payloads: Payloads;
  reader: PayloadReader;
  choices: RunChoices;
  last: LastChoices;
}

/** Turns a file into a call. All calls made from files are built here. */
export class FileCalls {
  readonly #parts: FileCallsParts;

  constructor(parts: FileCallsParts) {
    this.#parts = parts;
  }

  /** The call for a file. Sends nothing. */
  async ofFile(given: GivenFile, mayAsk: boolean): Promise<GivenCall> {
    const { payloads, choices, last } = this.#parts;
    const { confirmed = false, quiet = false } = given;
    const written = await this.read(await this.uriOf(given));
    const app = picked(await this.#appOf(given, written));
    const known = given.webhook === undefined ? this.wayOf(app, written.payload) : { webhook: given.webhook };
    if (written.file === undefined) {
      const usual = quiet ? { webhook: false } : undefined;
      return this.of(app, written, known ?? usual ?? picked(await choices.way(app)), confirmed);
    }
    const unasked = mayAsk && !quiet ? undefined : { webhook: false };
    const way = known ?? unasked ?? picked(await choices.lastWay(app));
    await payloads.use({ ...written.file, ...app });
    if (written.file.place === 'workspace') await last.rememberProjectOf(app);
    await last.rememberWay(app, { ...way, webhook: way.webhook !== false });
    return this.of(app, written, way, confirmed);
  }

  /** @throws UserError if no file is given and none is open */
  async uriOf({ file }: GivenFile): Promise<vscode.Uri> {
    const inFront = vscode.window.activeTextEditor?.document.uri;
    const uri = file === undefined ? inFront : await givenFile(file);
    if (uri !== undefined) return uri;
    throw new UserError(t('Open the JSON file to run an app with first.'), {
      remedies: [{ kind: 'pickFile' }, { kind: 'runApp' }],
    });
  }

  /** A payload of this machine belongs to its app. For other files: the caller's app, the file's, or its folder's. */
  async #appOf(given: GivenApp, { file, payload }: ReadFile): Promise<AppRef | undefined> {
    const { choices } = this.#parts;
    if (file?.place === 'machine') return choices.app(file);
    const { appName = payload.app ?? file?.appName, projectId = payload.project } = given;
    return choices.appOfFile({ appName, projectId });
  }

  /** The webhook that a payload asks for, signed as the app's last run; undefined if it does not say. */
  wayOf(app: AppRef, { webhook }: Payload): PayloadWay | undefined {
    if (webhook === undefined) return undefined;
    const signing = webhook === false ? undefined : this.#parts.last.way(app)?.signing;
    return { webhook, ...(signing && { signing }) };
  }

  /** Reads a document with its unsaved changes. A payload is saved first. */
  async read(uri: vscode.Uri): Promise<ReadFile> {
    const { payloads, reader } = this.#parts;
    const file = await payloads.at(uri);
    return { ...(await reader.read(uri, file !== undefined)), file };
  }

  /** The call with its variables filled in, and what the questions to the user say about it. */
  async of(app: AppRef, written: ReadFile, way: PayloadWay, confirmed = false): Promise<GivenCall> {
    const { payload, reads, kept, hasPassword } = await this.#parts.reader.fill(written);
    const { uri, file } = written;
    const options = {
      ...{ confirmed, reads, document: uri, asWritten: inputWith(app, written.payload, way) },
      ...(kept && { kept: inputWith(app, kept, way) }),
      payload: file?.name ?? vscode.workspace.asRelativePath(uri),
      isWayChosen: written.payload.webhook === undefined,
      // A file that may come from a repository needs the user's consent.
      ...(file?.place !== 'machine' && { file: uri }),
    };
    return { input: inputWith(app, payload, way), options, hasPassword };
  }
}

/** The payload document in the active editor. */
export function payloadInFront(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.path.endsWith(suffixes.payload) === true ? uri : undefined;
}

/** The input of a run with this payload. */
function inputWith(
  { projectId, appName }: AppRef,
  { path, query, method, headers, body, webhook: own }: Payload,
  { webhook, signing }: PayloadWay,
): RunInput {
  // With a webhook, an address in the payload is used, however the webhook was chosen.
  const to = webhook !== false && typeof own === 'string' ? own : webhook;
  return {
    ...{ projectId, appName, path, method, headers, webhook: to },
    ...(query && { query }),
    ...(body !== undefined && { body }),
    ...(signing && { signing }),
  };
}

/** Returns the choice. @throws DeclinedError if nothing was picked */
export function picked<T>(choice: T | undefined): T {
  if (choice === undefined) throw new DeclinedError(t('Nothing was run.'));
  return choice;
}
