import * as v from 'valibot';

const id = v.pipe(v.string(), v.trim(), v.nonEmpty());
const text = v.exactOptional(v.string());

export const appSchema = v.object({ id, name: text });

export const serviceAccountSchema = v.object({ id, name: text, environment: text });

/** A project of the setting `runhook.projects`. */
export const projectSchema = v.object({
  id,
  name: text,
  serviceAccounts: v.optional(v.array(serviceAccountSchema), []),
  apps: v.optional(v.array(appSchema), []),
});
