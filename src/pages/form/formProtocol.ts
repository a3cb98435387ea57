import * as v from 'valibot';
import { nothing, type PageCalls } from '../../shared/rpc/pageProtocol.ts';
import { type AppSettings, type FieldName, fields, validate } from '../../service/settings/appSettings.ts';

/** The app whose settings a form shows. The webview keeps it across a reload, so it is checked like a message. */
export const formAppSchema = v.object({ projectId: v.string(), appId: v.string() });
export type FormApp = v.InferOutput<typeof formAppSchema>;

const names = fields.map(({ name }) => name);

const typedTextsSchema = v.object(v.entriesFromList(names, v.exactOptional(v.string())));

/** The text typed into the touched fields, valid or not. */
export type TypedTexts = v.InferOutput<typeof typedTextsSchema>;

/** Text that was typed but not applied. The host keeps it for when the form is closed and reopened. */
const draftSchema = v.object({
  typed: typedTextsSchema,
  /** What was known while it was typed, so that a change meanwhile is seen. */
  known: v.custom<AppSettings>((input) => validate(input).ok),
});
export type Draft = v.InferOutput<typeof draftSchema>;

/** How the last apply went, as the form says it. `fields` are those that the service's response names. */
const statusSchema = v.variant('kind', [
  v.object({ kind: v.literal('none') }),
  v.object({ kind: v.literal('done'), text: v.string() }),
  v.object({
    kind: v.literal('error'),
    text: v.string(),
    fields: v.array(v.picklist(names)),
    mend: v.optional(v.picklist(['setToken', 'setAddress'])),
  }),
]);

/** A service account, and its environment, which can be changed. */
const accountInUseSchema = v.object({
  /** The id of the service account, which the service may have rejected. */
  account: v.optional(v.string()),
  environment: v.optional(v.string()),
});
export type AccountInUse = v.InferOutput<typeof accountInUseSchema>;

/** What the form says, and what it knew when it said so. The host keeps it for the next page of the form. */
const saidSchema = v.object({
  status: statusSchema,
  ...accountInUseSchema.entries,
  /** Whether anything had been applied. */
  hasApplied: v.boolean(),
});
export type Said = v.InferOutput<typeof saidSchema>;

/** The last apply from this machine, as far as it is known. */
export interface LastApplied {
  /** In the user's language: "12 Nov 2026, 14:03". */
  date: string;
  /** Grows with every apply, wherever it was made. Milliseconds since 1970. */
  at: number;
  /** The settings believed to be in force: those applied from this machine, and those in the responses. */
  known: AppSettings;
  /** What the last apply sent, wherever it was made. */
  sent: AppSettings;
  /** What an undo of it sends; empty if what was in force before is not known. */
  undo: AppSettings;
  /** What an undo cannot bring back: it stays as it was applied. */
  stays: FieldName[];
  /** Whether the last apply was an undo itself, so that an undo of it is a redo. */
  undoes: boolean;
  /** Whether its response could not be read: it may not be in force. */
  isUnsure: boolean;
}

/** Whose settings these are. It is in the state of the webview, for when its project is away after a reload. */
export const formHeadSchema = v.object({
  appName: v.string(),
  projectName: v.string(),
  /** Where the PATCH goes, without the origin: `/v2/projects/p-1/apps/hello`. */
  path: v.string(),
  /** Of the service: the same ids at another one are another app. Empty if no address is set. */
  origin: v.string(),
  ...accountInUseSchema.entries,
});
export type FormHead = v.InferOutput<typeof formHeadSchema>;

/** All that the form needs to draw itself. Names come from settings and the service: text, never markup. */
export interface FormContent extends FormHead {
  app: FormApp;
  /** Why nothing can be applied now, such as a missing project or no address. */
  obstacle?: string;
  /** Whether that is the sandbox, which can be started. */
  startsSandbox: boolean;
  lastApplied?: LastApplied;
}

/** The initial content of a form. */
export interface FormStart {
  shown: FormContent;
  /** The unapplied text from the last time that this app's form was open. */
  draft?: Draft;
  /** Settings to put into the fields right away, such as those of a file. */
  fill: AppSettings;
  /** What an earlier page of the form has said. */
  said?: Said;
  /** Whether an earlier page of the form has sent an apply, and was gone before it could show the outcome. */
  isApplying: boolean;
}

/**
 * How an apply went. `show` has told before what is known since. A failure is data, so that the form can mark the
 * fields that the answer names, and offer to set another token or address.
 */
export type ApplyOutcome = { sentWith?: SentWith } & (
  | { kind: 'applied' }
  /** To each of several apps, of which this one may be none. */
  | { kind: 'appliedToSeveral'; text: string }
  | { kind: 'declined' }
  | { kind: 'failed'; message: string; fields: FieldName[]; mend?: 'setToken' | 'setAddress' }
);

/** The service account whose token an apply carried. Another one may be in use since. */
export interface SentWith extends AccountInUse {
  name: string;
}

/** The result of a tool: settings to put into the fields, a message to show, the outcome of an apply. */
export interface ToolResult {
  fill?: AppSettings;
  said?: string;
  outcome?: ApplyOutcome;
}

/** Unchecked settings from a webview; `validate` checks them. */
const settings = v.object({ settings: v.unknown() });
type UncheckedSettings = v.InferOutput<typeof settings>;

/** The same, and when they were sent, in milliseconds since 1970. */
const sentSettings = v.object({ ...settings.entries, at: v.number() });

/** The tools of the form: what the host can do besides applying its settings. Each gets what is typed. */
export type ToolName = 'copyAsCurl' | 'exportToFile' | 'showHistory' | 'pickPreset' | 'applyToSeveral';
type Tools = Record<ToolName, (what: UncheckedSettings) => ToolResult>;

/** The calls of the form to the host. */
export interface FormHostCalls extends PageCalls<FormStart>, Tools {
  /** Keeps what was typed, for when the tab is closed and the form is opened again. */
  keep(draft: Draft): void;
  /** Keeps what the form says, for when its tab is hidden and shown again. */
  say(said: Said): void;
  apply(what: UncheckedSettings): ApplyOutcome;
  undo(): ApplyOutcome;
  /** The outcome of the last apply. */
  outcome(): ApplyOutcome;
  /** The form has shown the outcome of the last apply. */
  seen(): void;
  /** A reload of the window has ended the apply of these settings, which were sent. */
  interrupted(what: v.InferOutput<typeof sentSettings>): ApplyOutcome;
  /** Asks for another token of the account in use, and sends with it what was refused. */
  setToken(): ApplyOutcome;
  /** Asks for the addresses of the project, and sends what was redirected there. */
  setAddress(): ApplyOutcome;
  startSandbox(): void;
}

/** What each of them takes. The host checks it. */
export const formSchemas: Record<keyof FormHostCalls, v.GenericSchema> = {
  load: nothing,
  keep: draftSchema,
  say: saidSchema,
  apply: settings,
  undo: nothing,
  outcome: nothing,
  seen: nothing,
  interrupted: sentSettings,
  setToken: nothing,
  setAddress: nothing,
  startSandbox: nothing,
  copyAsCurl: settings,
  exportToFile: settings,
  showHistory: settings,
  pickPreset: settings,
  applyToSeveral: settings,
};

/** The calls of the host to the form. */
export interface FormPageCalls {
  /** Something that the form shows has changed, such as an apply from elsewhere or a project's name. */
  show(content: FormContent): void;
  /** The account in use has another token, or none: what was said of a rejected one is over. */
  tokenChanged(): void;
  /** Puts settings into the fields as if they were typed: those of a file, a preset or the history. */
  fill(settings: AppSettings): void;
  /** What the apply is sending now; null while it waits for an answer of the user: to a confirmation or for a token. */
  sending(settings: AppSettings | null): void;
  /** Whether an apply to several apps waits for an answer of the user now. */
  asking(isAsking: boolean): void;
}
