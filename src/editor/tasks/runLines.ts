import { maskJson, maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { t } from '../../shared/text/l10n.ts';

/** The most lines of an answer that are printed, and the most characters of each. */
const mostLines = 40;
const longestLine = 400;

/** The part of a run's answer that a task prints. */
interface PrintedAnswer {
  status: number;
  runId?: string;
  /** JSON, or a text. */
  body: unknown;
  bodyEncoding?: 'base64';
}

/** The lines that a task prints of an answer: its status, and the beginning of its body if that is text. */
export function runLines({ status, runId, body, bodyEncoding }: PrintedAnswer): string[] {
  const first = runId === undefined ? t('Returned {0}.', status) : t('Returned {0}, run {1}.', status, runId);
  if (bodyEncoding !== undefined) return [first];
  const text = typeof body === 'string' ? maskSecrets(body) : JSON.stringify(maskJson(body), undefined, 2);
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  const shown = lines.slice(0, mostLines).map((line) => `  ${shortened(line)}`);
  return [first, ...(text === '' ? [] : shown), ...(lines.length > mostLines ? ['  …'] : [])];
}

function shortened(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…`.toWellFormed() : line;
}
