import { isJsonObject } from '../../src/model/json/jsonObject.ts';
import { runIdNames } from '../../src/model/runs/runId.ts';

/** How deep it looks, as the reader of texts does. */
const levels = 3;

/** The id of a run in a parsed value: what `runIdIn` finds in a text, written once more in another way to compare. */
export function findRunId(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let deep = 0; deep < levels; deep += 1) {
    const objects = level.filter(isJsonObject);
    for (const object of objects) {
      const found = runIdNames.map((name) => asId(object[name])).find((id) => id !== undefined);
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
