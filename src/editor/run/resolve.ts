import * as vscode from 'vscode';
import { type AppRef, appName as nameOf } from '../../service/projects/project.ts';
import { unheardOfApp } from '../../service/projects/projectErrors.ts';
import type { RunInput, Signing } from '../../service/runs/run.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { Projects } from '../projects/feature.ts';
import { DeclinedError, lastUsedFirst, type Choice, type Prompts } from '../kit/prompts.ts';
import { givenFile } from '../kit/files.ts';
import type { LastChoices, UsualWay } from './lastChoices.ts';
import type { GivenPayload, Payloads } from './payloads/payloads.ts';
import { type Payload, type PayloadVariable, readPayload } from './payloads/payload.ts';
import {
  type FillParts,
  fillPayload,
  readPayloadDocument,
  type WrittenPayload,
} from './payloads/payloadDocument.ts';

/** A run on its way. What is run is found out here; then it is asked for, sent, and shown. */
export interface Call {
  input: RunInput;
  /** Whether the caller has agreed to the call, so that nothing is asked. */
  confirmed?: boolean;
  /** The file that contains the call, if it may come from a repository. */
  file?: vscode.Uri;
  /** The document that contains the call, opened if the call has to be changed. */
  document?: vscode.Uri;
  /** The name of the payload. */
  payload?: string;
  /** The call as its document writes it, with variables in place of their values. */
  asWritten?: RunInput;
  /** Whether the user chose how it is run, since its document does not say it. Absent for the call of a caller. */
  isWayChosen?: boolean;
  /** The environment variables that the call contains. */
  reads?: readonly PayloadVariable[];
  /** Whether the call contains a password that the user was asked for. */
  hasPassword?: boolean;
  /** What the history stores of the call: without values of the environment and passwords. */
  kept?: RunInput;
  /** A secret for this run only. If the run needs one and none is given, the user is asked. */
  secret?: string | undefined;
  /** The most bytes of the answer that are held in memory for the caller. A longer answer is not read further. */
  hold?: number;
  /** Cancels the run: the caller has given up. */
  signal?: AbortSignal;
}

/** An app, as far as the caller specified it. */
type GivenApp = { [Name in keyof AppRef]?: string | undefined };

/** A file to run an app with. Without `file`, the document in the active editor. */
interface GivenFile extends GivenApp {
  file?: string | undefined;
  webhook?: boolean;
  confirmed?: boolean;
  /** Does not ask how to run the file. */
  quiet?: boolean;
}

export interface ChoiceParts {
  prompts: Prompts;
  projects: Pick<Projects, 'all' | 'get'>;
  last: LastChoices;
}

export interface ResolveParts extends ChoiceParts, FillParts {
  payloads: Payloads;
}

/** How a payload is run: where its result is delivered, the listener or an address of its own, and what signs it there. */
interface RunWay {
  webhook: boolean | string;
  /** Run without a webhook, the delivery is made here from the response. */
  deliverHere?: true;
  signing?: Signing;
}

/** A document that was read. `of` is its payload; undefined for any other JSON file. */
type ReadDocument = WrittenPayload & { of: GivenPayload | undefined };

/** The palette's *Run App…*: asks which app, which payload, and how. */
export async function askedCall(parts: ResolveParts, given: GivenApp): Promise<Call> {
  const app = picked(await givenApp(parts, given));
  if ((await parts.payloads.list(app)).length === 0)
    return emptyCall(parts, app, picked(await askWay(parts, app)));
  const document = await read(parts, picked(await parts.payloads.pick(app)));
  return callWith(parts, app, document, picked(await askWay(parts, app)));
}

/** The ways of the tree's ▶. */
const usualWays: Readonly<Record<UsualWay, RunWay>> = {
  webhook: { webhook: true },
  plain: { webhook: false },
  here: { webhook: false, deliverHere: true },
};

/** The tree's ▶: the payload that was last run. If that says how it is run, it decides. */
export async function lastCall(parts: ResolveParts, given: GivenApp, way: UsualWay): Promise<Call> {
  const app = picked(await givenApp(parts, given));
  const uri = await parts.payloads.last(app);
  if (uri === undefined) return emptyCall(parts, app, usualWays[way]);
  const document = await read(parts, uri);
  const { webhook } = document.payload;
  return callWith(parts, app, document, webhook === undefined ? usualWays[way] : { webhook });
}

/**
 * *Run App with This File*: a payload knows its app, and is run as that was last; for any other JSON file, asks for both.
 * @param fromClick whether the user has clicked; a caller that says nothing of the webhook gets none
 */
export async function fileCall(parts: ResolveParts, given: GivenFile, fromClick: boolean): Promise<Call> {
  const { payloads, last } = parts;
  const { webhook, confirmed = false, quiet = false } = given;
  const document = await read(parts, await fileOf(given));
  const app = picked(await appOfDocument(parts, given, document));
  const written = webhook ?? document.payload.webhook;
  const known = written === undefined ? undefined : { webhook: written };
  const { of } = document;
  if (of === undefined) {
    const way = known ?? (quiet ? usualWays.plain : picked(await askWay(parts, app)));
    return { ...(await callWith(parts, app, document, way)), confirmed };
  }
  await payloads.use({ ...of, ...app });
  if (of.place === 'workspace') await last.rememberProjectOf(app);
  const way = known ?? usualWays[fromClick && !quiet ? last.usual(app) : 'plain'];
  return { ...(await callWith(parts, app, document, way)), confirmed };
}

/** @throws UserError if no file is given and none is open */
export async function fileOf({ file }: GivenFile): Promise<vscode.Uri> {
  const inFront = vscode.window.activeTextEditor?.document.uri;
  const uri = file === undefined ? inFront : await givenFile(file);
  if (uri !== undefined) return uri;
  throw new UserError(t('First open the JSON file to run an app with.'), {
    remedies: [{ kind: 'pickFile' }, { kind: 'runApp' }],
  });
}

/**
 * The given app. If only its project or its name is given, or neither, the user picks among the apps that match.
 * @returns undefined if the user picked none
 * @throws UserError if there is no such project, or no app to pick
 */
export async function givenApp(parts: ChoiceParts, given: GivenApp): Promise<AppRef | undefined> {
  const { projectId, appName } = given;
  if (projectId !== undefined && appName !== undefined) return { projectId, appName };
  const { prompts, projects, last } = parts;
  const among = projectId === undefined ? projects.all() : [projects.get(projectId)];
  const all = among.flatMap((project) =>
    project.apps.map((app): Choice<AppRef> => ({
      label: plainText(nameOf(app)),
      description: plainText(project.name ?? project.id),
      value: { projectId: project.id, appName: nameOf(app) },
    })),
  );
  if (all.length === 0) {
    throw new UserError(t('There is no app to run yet. Add one to a project, or start the sandbox.'), {
      remedies: [{ kind: among.length === 0 ? 'addProject' : 'addApp' }, { kind: 'startSandbox' }],
    });
  }
  const choices = appName === undefined ? all : all.filter(({ value }) => value.appName === appName);
  const [only] = choices;
  if (only === undefined) throw unheardOfApp(appName ?? '', among);
  if (appName !== undefined && choices.length === 1) return only.value;
  const isLast = ({ value }: Choice<AppRef>): boolean =>
    value.projectId === last.app?.projectId && value.appName === last.app.appName;
  const app = await prompts.pick(t('Which app?'), lastUsedFirst(choices, isLast));
  if (app !== undefined) await last.rememberApp(app);
  return app;
}

/** The id of the project that an app's name alone means: the one picked before, or the only one that has it. */
export function usualProject(
  { projects, last }: Pick<ChoiceParts, 'projects' | 'last'>,
  appName: string,
): string | undefined {
  const candidates = projects.all().filter(({ apps }) => apps.some((app) => nameOf(app) === appName));
  const before = candidates.find(({ id }) => id === last.projectOf(appName));
  return (before ?? (candidates.length === 1 ? candidates[0] : undefined))?.id;
}

/** Returns the choice. @throws DeclinedError if nothing was picked */
function picked<T>(choice: T | undefined): T {
  if (choice === undefined) throw new DeclinedError(t('Nothing was run.'));
  return choice;
}

/** Reads a document with its unsaved changes. A payload is saved first. */
async function read({ payloads }: ResolveParts, uri: vscode.Uri): Promise<ReadDocument> {
  const of = await payloads.at(uri);
  return { ...(await readPayloadDocument(uri, of !== undefined)), of };
}

/**
 * The app of a document: a payload of this machine belongs to its app; any other file is for the caller's app, the
 * file's, or its folder's. If several projects have an app of that name and none is known, asks once and remembers it.
 */
async function appOfDocument(
  parts: ResolveParts,
  given: GivenApp,
  { of, payload }: ReadDocument,
): Promise<AppRef | undefined> {
  if (of?.place === 'machine') return givenApp(parts, of);
  const { appName = payload.app ?? of?.appName, projectId = payload.project } = given;
  if (appName === undefined || projectId !== undefined) return givenApp(parts, { projectId, appName });
  const known = usualProject(parts, appName);
  if (known !== undefined) return { projectId: known, appName };
  const app = await givenApp(parts, { appName });
  if (app !== undefined) await parts.last.rememberProjectOf(app);
  return app;
}

/** Asks how to run the app: first whether with a webhook, and what seldom signs one behind a line of its own. */
async function askWay({ prompts, last }: ChoiceParts, app: AppRef): Promise<RunWay | undefined> {
  const title = t('Run {0}', plainText(app.appName));
  const way = await prompts.pick<UsualWay | 'more'>(
    title,
    [
      {
        label: t('Run with Webhook'),
        description: t('The response is also delivered to the listener'),
        value: 'webhook',
      },
      {
        label: t('Run and Deliver Here'),
        description: t('The delivery is made here from the response'),
        value: 'here',
      },
      { label: t('Run'), value: 'plain' },
      { label: t('Sign Differently…'), value: 'more' },
    ],
    { active: last.usual(app) },
  );
  if (way !== 'more') {
    if (way !== undefined) await last.chooseWay(app, way);
    return way && usualWays[way];
  }
  return prompts.pick<RunWay>(title, [
    {
      label: t('Run with Webhook, Unsigned'),
      description: t('The listener shows the delivery, but refuses it if a secret is set'),
      value: { webhook: true, signing: 'unsigned' },
    },
    {
      label: t('Run with Webhook and One-Time Secret…'),
      description: t('Signed with a secret that is used for this run only and not stored'),
      value: { webhook: true, signing: 'once' },
    },
  ]);
}

/** The call of a document with its variables filled in. Sends nothing. */
async function callWith(parts: FillParts, app: AppRef, document: ReadDocument, way: RunWay): Promise<Call> {
  const { uri, of } = document;
  const { payload, reads, kept, hasPassword } = await fillPayload(parts, document);
  return {
    ...{ input: inputWith(app, payload, way), reads, hasPassword, document: uri },
    asWritten: inputWith(app, document.payload, way),
    ...(kept && { kept: inputWith(app, kept, way) }),
    payload: of?.name ?? vscode.workspace.asRelativePath(uri),
    isWayChosen: document.payload.webhook === undefined,
    // A file that may come from a repository needs the user's consent.
    ...(of?.place !== 'machine' && { file: uri }),
  };
}

/** The call of an app that has no payload. It sends `{}`, and writes no file. */
async function emptyCall({ last }: ChoiceParts, app: AppRef, way: RunWay): Promise<Call> {
  await last.rememberApp(app);
  return { input: inputWith(app, readPayload('{}'), way), isWayChosen: true };
}

/** The input of a run with this payload. */
function inputWith(
  { projectId, appName }: AppRef,
  { path, query, method, headers, body, webhook: own }: Payload,
  { webhook, deliverHere, signing }: RunWay,
): RunInput {
  // With a webhook, an address in the payload is used, however the webhook was chosen.
  const to = webhook !== false && typeof own === 'string' ? own : webhook;
  return {
    ...{ projectId, appName, path, method, headers, webhook: to },
    ...(query && { query }),
    ...(body !== undefined && { body }),
    ...(deliverHere === true && to === false && { deliverHere }),
    ...(signing && { signing }),
  };
}
