import * as v from 'valibot';
import { nothing, type PageCalls, pageMessageSchema } from '../processes/pageProtocol.ts';
import { type AppSettings, type FieldName, fields, validate } from './appSettings.ts';

/** Whose settings a form shows. It is what the webview keeps over a reload, so it is checked like a message. */
export const formAppSchema = v.object({ projectId: v.string(), appId: v.string() });
export type FormApp = v.InferOutput<typeof formAppSchema>;

const typedTextsSchema = v.object(
  v.entriesFromList(
    fields.map(({ name }) => name),
    v.exactOptional(v.string()),
  ),
);

/** What was typed into the fields that a person touched, whether it is valid or not. */
export type TypedTexts = v.InferOutput<typeof typedTextsSchema>;

/** What was typed and not applied. The host keeps it for a form that is closed and opened again. */
const draftSchema = v.object({
  typed: typedTextsSchema,
  /** What was known while it was typed, so that a change meanwhile is seen. */
  known: v.custom<AppSettings>((input) => validate(input).ok),
});
export type Draft = v.InferOutput<typeof draftSchema>;

/** What was applied last from this machine, as far as it is known. */
export interface LastApplied {
  /** In the user's language: "12 Nov 2026, 14:03". */
  date: string;
  /** Grows with every apply, so that an older message never overwrites a newer one. Milliseconds since 1970. */
  at: number;
  /** What is believed to be in force: the applies of this machine, and what the answers to them carried. */
  known: AppSettings;
  canUndo: boolean;
}

/** All that the form needs to draw itself. Names come from settings and the service: text, never markup. */
export interface FormContent {
  app: FormApp;
  appName: string;
  projectName: string;
  environment?: string;
  /** Where the PATCH goes, without the origin: `/v2/projects/p-1/apps/hello`. */
  path: string;
  /** Why nothing can be applied now: the project is not there, no address is set. */
  obstacle?: string;
  lastApplied?: LastApplied;
}

/** What a form begins with. */
export interface FormStart {
  shown: FormContent;
  /** What was typed when the form of this app was last there. */
  draft?: Draft;
  /** Settings to put into the fields at once, those of a file for instance. */
  fill: AppSettings;
}

/** How an apply went. A failure is data, so that the form can mark the fields that the answer names. */
export type ApplyOutcome =
  | { kind: 'applied'; sent: AppSettings; content: FormContent }
  | { kind: 'declined' }
  | { kind: 'failed'; message: string; fields: FieldName[] };

/** What came of a tool: settings to put into the fields, words to show, how an apply went. */
export interface ToolResult {
  fill?: AppSettings;
  said?: string;
  outcome?: ApplyOutcome;
}

/** Settings as they come out of a webview: `validate` judges them. */
const settings = v.object({ settings: v.unknown() });

const toolSchemas = {
  copyAsCurl: settings,
  exportToFile: settings,
  showHistory: nothing,
  pickPreset: nothing,
  applyToSeveral: settings,
};

/** What the host does with the form besides applying it. */
export type ToolName = keyof typeof toolSchemas;

/** What the form asks the host: what each request takes, as it is checked in the host. */
export const hostCallSchemas = {
  load: nothing,
  keep: draftSchema,
  apply: settings,
  undo: nothing,
  ...toolSchemas,
};

type Takes = { [Name in keyof typeof hostCallSchemas]: v.InferInput<(typeof hostCallSchemas)[Name]> };

interface Gives extends Record<ToolName, ToolResult> {
  load: PageCalls<FormStart>['load']['gives'];
  keep: undefined;
  apply: ApplyOutcome;
  undo: ApplyOutcome;
}

/** The requests of the form to the host. */
export type HostCalls = { [Name in keyof Gives]: { takes: Takes[Name]; gives: Gives[Name] } };

/** The requests of the host to the form. */
export type FormCalls = {
  /** Something changed that the form shows: an apply from elsewhere, a project's name. */
  show: { takes: FormContent; gives: undefined };
  /** Puts settings into the fields as if they were typed: those of a file, a preset or the history. */
  fill: { takes: AppSettings; gives: undefined };
};

/** A message as the form sends it. */
export const formMessageSchema = pageMessageSchema(hostCallSchemas);
