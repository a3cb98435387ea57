import { isJsonObject } from '../../../src/shared/json/jsonObject.ts';
import { runIdNames } from '../../../src/service/runs/runId.ts';

/** The same depth as that of `runIdIn`. */
const maxDepth = 3;

/** Finds the id of a run in a parsed value. An independent implementation of `runIdIn`, for comparison. */
export function findRunId(value: unknown): string | undefined {
  let level: unknown[] = [value];
  for (let deep = 0; deep < maxDepth; deep += 1) {
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
