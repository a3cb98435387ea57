import { isJsonObject } from './jsonObject.ts';

const names = ['run_id', 'runId', 'runID'];

/** How deep an answer is searched: wrappers such as `{"data": {"run": {…}}}` are seen, app data is not dug through. */
const depth = 3;

/**
 * The id of a run in an answer or a delivery. The interface document names it `run_id` and shows no shape
 * (service-interface.md, section 6), so it is looked for at the top first, then one wrapper further in.
 */
export function findRunId(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let deep = 0; deep < depth; deep += 1) {
    const objects = level.filter(isJsonObject);
    for (const object of objects) {
      const found = names.map((name) => asId(object[name])).find((id) => id !== undefined);
      if (found !== undefined) return found;
    }
    level = objects.flatMap((object) => Object.values(object));
  }
  return undefined;
}

function asId(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : undefined;
}
