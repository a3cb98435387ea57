import { maskJson, maskSecrets } from '../../shared/masking/likelySecrets.ts';
import { isRefusal } from '../../service/runs/run.ts';
import { runIdNames } from '../../service/runs/runId.ts';
import { isJsonObject } from '../../shared/json/jsonObject.ts';
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
export function runLines({ status, runId, body, bodyEncoding }: PrintedAnswer): [string, ...string[]] {
  const first = returnedText(status, runId);
  if (bodyEncoding !== undefined) return [first];
  const text =
    typeof body === 'string' ? maskSecrets(body) : JSON.stringify(maskedBody(body, runId), undefined, 2);
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  const shown = lines.slice(0, mostLines).map((line) => `  ${shortened(line)}`);
  return [first, ...(text === '' ? [] : shown), ...(lines.length > mostLines ? ['  …'] : [])];
}

function returnedText(status: number, runId: string | undefined): string {
  if (runId !== undefined) return t('The app returned {0}, run {1}.', status, runId);
  return isRefusal(status) ? t('The service returned {0}.', status) : t('The app returned {0}.', status);
}

/** The run id may look like a token, but is none. */
function maskedBody(body: unknown, runId: string | undefined): unknown {
  if (runId === undefined || !isJsonObject(body)) return maskJson(body);
  const ids = runIdNames.filter((name) => body[name] === runId).map((name) => [name, runId]);
  return { ...(maskJson(body) as object), ...Object.fromEntries(ids) };
}

function shortened(line: string): string {
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…`.toWellFormed() : line;
}
