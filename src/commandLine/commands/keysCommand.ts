import { type Key, type KeyStatus, isOutOfUse, isUsual, keyData, keyStatus } from '../../service/keys/key.ts';
import { readKeys } from '../../service/keys/keys.ts';
import { spanText } from '../../shared/text/durationText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { UsageError, readArguments } from '../options/readArguments.ts';
import {
  managementClient,
  readServiceAddress,
  readToken,
  required,
  serviceOptions,
  warn,
} from '../options/serviceOptions.ts';
import { printJson, printLine } from '../print.ts';

const marks: Record<KeyStatus, string> = { valid: '✓', expiring: '⚠', expired: '✗', unknown: '?' };

/** `runhook keys`: lists the keys of a service account. Exits with 1 if one has expired or soon will. */
export async function keysCommand(args: readonly string[]): Promise<number> {
  const options = {
    ...serviceOptions,
    account: { type: 'string' },
    within: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  const { values } = readArguments(args, options);
  const projectId = required(values.project, 'project');
  const accountId = required(values.account, 'account');
  const days = readDays(values.within);
  const baseUrl = readServiceAddress(values, 'base-url');
  const client = managementClient(baseUrl, readToken(values));
  const list = readKeys(await client.listKeys(projectId, accountId));
  if (list.kind === 'unrecognised') {
    throw new UserError('Runhook recognises no keys in the response of the service.');
  }
  const now = Date.now();
  const judged = list.keys.map((key) => ({ key, status: keyStatus(key.expiresAt, now, days) }));
  const needing = judged.filter(
    ({ key, status }) => !isOutOfUse(key.state) && (status === 'expiring' || status === 'expired'),
  );
  for (const { key, status } of judged) {
    if (values.json) printJson({ ...keyData(key, status), unreadExpiry: key.unreadExpiry });
    else printLine(keyLine(key, status, now));
  }
  const summary = { keys: judged.length, expireWithinDays: days, needAttention: needing.length };
  if (values.json) {
    printJson({ summary: { ...summary, readLeniently: true, isComplete: list.goesOn === undefined } });
  } else {
    printLine(
      `Keys: ${judged.length}. Expired, or expiring within ${days === 1 ? '1 day' : `${days} days`}: ${needing.length}. ` +
        'Read leniently: the form of this list is not documented.',
    );
  }
  if (list.goesOn !== undefined) warn('The list is incomplete: the service has more keys than it sent.');
  const unread = judged.filter(({ status, key }) => status === 'unknown' && !isOutOfUse(key.state)).length;
  if (unread > 0) warn(`Keys whose expiry cannot be read: ${unread}.`);
  return needing.length === 0 ? 0 : 1;
}

/** `14d` or `14`. @throws UsageError */
function readDays(text = '14d'): number {
  const [, days] = /^(\d{1,5})d?$/.exec(text) ?? [];
  if (days === undefined) throw new UsageError('Give --within in days, such as 14d.');
  return Number(days);
}

function nameOf({ name, id }: Key): string {
  return name ?? id ?? '–';
}

function keyLine(key: Key, status: KeyStatus, now: number): string {
  const { state, expiresAt } = key;
  const said = state === undefined || isUsual(state) ? [] : [state.kind === 'said' ? state.word : state.kind];
  const until = expiresAt === undefined ? [] : [timeText(expiresAt, now)];
  const word = status === 'unknown' ? 'expiry unknown' : status;
  const mark = isOutOfUse(state) ? '–' : marks[status];
  return `${mark} ${nameOf(key)}  ${[word, ...until, ...said].join(' · ')}`;
}

function timeText(expiresAt: number, now: number): string {
  const date = new Date(expiresAt).toISOString().slice(0, 10);
  return expiresAt > now ? `${date}, ${spanText(expiresAt - now)} left` : date;
}
