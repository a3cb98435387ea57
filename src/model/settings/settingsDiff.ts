import { type AppSettings, fields } from './appSettings.ts';

/**
 * What an apply changes, one line a value, as a diff shows it: `- gpuCount: 1`, `+ gpuCount: 2`. A value that
 * nobody knows has no line that goes.
 * @param known what is believed to be in force
 */
export function settingsDiff(known: AppSettings, wanted: AppSettings): string {
  const lines = fields.flatMap(({ name }) => {
    const [before, after] = [known[name], wanted[name]];
    if (after === undefined) return [];
    if (before === after) return [`  ${name}: ${JSON.stringify(after)}`];
    const gone = before === undefined ? [] : [`- ${name}: ${JSON.stringify(before)}`];
    return [...gone, `+ ${name}: ${JSON.stringify(after)}`];
  });
  return lines.join('\n');
}
