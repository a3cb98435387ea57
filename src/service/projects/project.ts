import * as v from 'valibot';
import { appSchema, projectSchema, serviceAccountSchema } from '../../contract/project.ts';

/** A project and what is known of it, as kept in the setting `runhook.projects`. No secrets in it. */
export interface Project {
  id: string;
  name?: string;
  serviceAccounts: ServiceAccount[];
  apps: App[];
}

export interface ServiceAccount {
  id: string;
  name?: string;
  /** Free text. `dev`, `staging` and production (`isProduction`) look different; calls under production ask first. */
  environment?: string;
}

/** A service account by its ids. */
export interface AccountRef {
  projectId: string;
  serviceAccountId: string;
}

export interface App {
  /** Used in the PATCH (service-interface.md, section 4.2). */
  id: string;
  /** Used in the run path (section 4.3); the id if absent. */
  name?: string;
}

/** An app as runs name it. */
export interface AppRef {
  projectId: string;
  appName: string;
}

/** Reads the projects of a setting that people edit by hand. Entries that do not fit the schema are left out. */
export function readProjects(value: unknown): Project[] {
  if (!Array.isArray(value)) return [];
  return fitting(readableProject, value);
}

function fitting<T>(schema: v.GenericSchema<unknown, T>, values: readonly unknown[]): T[] {
  return values.flatMap((one) => {
    const read = v.safeParse(schema, one);
    return read.success ? [read.output] : [];
  });
}

/** A bad account or app takes no others with it. */
const readableProject = v.object({
  ...projectSchema.entries,
  serviceAccounts: listOf(serviceAccountSchema),
  apps: listOf(appSchema),
});

function listOf<T>(schema: v.GenericSchema<unknown, T>) {
  const list = v.pipe(
    v.array(v.unknown()),
    v.transform((values) => fitting(schema, values)),
  );
  return v.optional(list, []);
}

/** The name to use in the run path. */
export function appName(app: App): string {
  return app.name ?? app.id;
}
