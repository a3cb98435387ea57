import * as v from 'valibot';

const id = v.pipe(v.string(), v.nonEmpty());
const settings = v.record(v.string(), v.unknown());

/**
 * The input schema of each tool. Anything else is refused: a model can neither pass a secret nor say that the user
 * has agreed. The manifest declares the same to models; a unit test compares the two.
 */
export const toolInputs = {
  listProjects: v.strictObject({}),
  listKeys: v.strictObject({ projectId: id, serviceAccountId: id }),
  validateSettings: v.strictObject({ settings }),
  // guard S105: The model cannot say that the user has agreed.
  applySettings: v.strictObject({ projectId: id, appId: id, settings }),
  runApp: v.strictObject({
    projectId: id,
    appName: id,
    path: v.exactOptional(v.string()),
    method: v.exactOptional(v.string()),
    body: v.exactOptional(v.unknown()),
    webhook: v.exactOptional(v.boolean()),
  }),
  listDeliveries: v.strictObject({
    limit: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  }),
  explainDelivery: v.strictObject({ id }),
  sendTestDelivery: v.strictObject({ to: v.exactOptional(id), body: v.exactOptional(v.unknown()) }),
  // guard S114: A model chooses neither the address nor the content of a replay.
  replayDelivery: v.strictObject({ id, resign: v.exactOptional(v.boolean()) }),
  waitForDelivery: v.strictObject({
    runId: id,
    timeoutSeconds: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300))),
  }),
};

export type ToolName = keyof typeof toolInputs;
export type ToolInput<Name extends ToolName> = v.InferOutput<(typeof toolInputs)[Name]>;
