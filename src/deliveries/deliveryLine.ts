import type { Attempt, Delivery } from '../contract/delivery.ts';
import { clockTime, durationText } from '../shared/text/durationText.ts';
import { forwardLine, type LineTarget } from './forwardText.ts';
import { joined, type LinkedText, linkTo } from '../shared/text/linkedText.ts';
import type { BrokenOff, News, Refused } from './listenerProtocol.ts';
import { isSuccess } from '../shared/http/isSuccess.ts';
import { brokenOffWithReason, bytesText } from '../shared/text/bytesText.ts';
import { oneLine } from '../shared/text/plainText.ts';
import { t } from '../shared/text/l10n.ts';
import { attemptStart } from './keptDelivery.ts';
import { attemptKindText, waitedText } from './outcomeText.ts';
import { judgedMark, judgedText, repeatText, verdictColumn } from './verdictText.ts';

/** In characters. A reason may quote a header, which may be long. */
const longestReason = 300;
/** An id that is safe to print whole. A sender may have put text into it that looks like further columns. */
const idPattern = /^[\w.:~-]{1,80}$/;

/** Options for the line of a delivery in the output, whose columns are aligned. */
export interface LineOptions {
  /** When the first delivery of a repeat arrived; undefined if it is no longer kept. */
  firstAt: (id: string) => string | undefined;
  /** Why a verified delivery is not forwarded, if the user has yet to allow the address or has refused it. */
  withheld?: LinkedText<LineTarget> | undefined;
  /** The width of the column of apps where links lead to all of the delivery: the line is short, to be one in the editor. */
  appWidth?: number;
}

/** The widths of the columns of app and run id, in characters; that of the run id where the line is short. */
const [appWidth, runWidth, shortRunWidth] = [12, 14, 12];

/** The narrowest and the widest column of apps of a short line, which is as wide as the longest name so far. */
export const appWidths = { least: 6, most: 24 } as const;

/** The line of a delivery, without a line feed. Text from the service is shown as is and cannot start a new line. */
export function deliveryLine(delivery: Delivery, options: LineOptions): LinkedText<LineTarget> {
  const columns = [
    linkTo<LineTarget>('delivery', clockTime(new Date(delivery.receivedAt))),
    `${markOf(delivery)} ${verdictColumn(judgedText(delivery))}`,
    ...subject(delivery, options.appWidth),
    ...numbers(delivery),
  ];
  const { text, links } = joined([...columns, outcome(delivery, options)], '  ');
  return { text: text.trimEnd(), links };
}

/** The line of a delivery that was sent again. */
export function replayLine(delivery: Delivery, attempt: Attempt, width?: number): LinkedText<LineTarget> {
  // The column is as wide as a verdict.
  const isAnew = attempt.kind === 'signedAnew';
  const columns = [
    linkTo<LineTarget>('delivery', clockTime(new Date(attemptStart(attempt)))),
    `↺ ${verdictColumn(attemptKindText(isAnew ? 'replay' : attempt.kind))}`,
    ...subject(delivery, width),
    `${t('of {0}', clockTime(new Date(delivery.receivedAt)))}${isAnew ? ` ${attemptKindText('signedAnew')}` : ''}`,
    forwardLine({ ...delivery, forward: attempt }, width !== undefined),
  ];
  return joined(columns, '  ');
}

/** A line, and the run that its links lead to, if there is one. */
type UnkeptLine = LinkedText<LineTarget> & { runId?: string };

/** The lines of requests that never became a delivery, in the order of their time. @param width as `appWidth` above */
export function unkeptLines(
  { refused, brokenOff, overflow }: Pick<News, 'refused' | 'brokenOff' | 'overflow'>,
  width?: number,
): UnkeptLine[] {
  const plain = (text: string): UnkeptLine => ({ text, links: [] });
  const dated = [
    ...refused.map((one) => ({ at: one.at, line: plain(refusedLine(one)) })),
    ...brokenOff.map((one) => ({ at: one.at, line: brokenOffLine(one, width) })),
  ].sort((one, other) => (one.at < other.at ? -1 : 1));
  const lines = dated.map(({ line }) => line);
  return overflow === 0 ? lines : [...lines, plain(t('… and {0} more, refused or broken off', overflow))];
}

/** The line of a request that broke off: it is no delivery, and the service may send it again. */
function brokenOffLine(brokenOff: BrokenOff, width?: number): UnkeptLine {
  const { at, bytes, runId } = brokenOff;
  const columns = [
    linkTo<LineTarget>('delivery', clockTime(new Date(at))),
    `– ${verdictColumn('')}`,
    ...subject({ runId }, width),
    ...numbers({ answered: 0, bytes }),
    brokenOffWithReason(brokenOff),
  ];
  const { text, links } = joined(columns, '  ');
  if (runId === undefined) return { text, links: [] };
  // There is no delivery to open.
  return { text, links: links.map((link) => ({ ...link, to: 'run' })), runId };
}

/** The line of a request that was turned away before it could become a delivery. */
function refusedLine({ at, status, method, reason }: Refused): string {
  const request = method === '' ? [] : [method];
  const columns = [clockTime(new Date(at)), `✗ ${verdictColumn(t('refused'))}`, ...request, status, reason];
  return oneLine(columns.join('  '));
}

function outcome(
  delivery: Delivery,
  { firstAt, withheld, appWidth: width }: LineOptions,
): LinkedText<LineTarget> {
  const parts: (string | LinkedText<LineTarget>)[] = [];
  const waited = waitedText(delivery);
  if (waited !== undefined) parts.push(waited);
  if (delivery.repeatOf !== undefined) {
    const first = firstAt(delivery.repeatOf);
    parts.push(repeatText(delivery, first && clockTime(new Date(first))));
  }
  if (delivery.reason !== undefined) parts.push(shortened(oneLine(delivery.reason), longestReason));
  if (delivery.verdict !== 'verified') parts.push(linkTo('explanation', t('(Explain)')));
  if (delivery.forward !== undefined)
    parts.push(forwardLine({ ...delivery, forward: delivery.forward }, width !== undefined));
  else if (withheld !== undefined && isWithheld(delivery)) parts.push(withheld);
  return joined(parts, ' ');
}

/** Whether the delivery would have been forwarded if the user had allowed it. */
function isWithheld({ verdict, answered, isForwarding, wasTaken }: Delivery): boolean {
  return verdict === 'verified' && isSuccess(answered) && isForwarding !== true && wasTaken !== true;
}

function markOf(delivery: Delivery): string {
  return delivery.repeatOf === undefined ? judgedMark(delivery) : '↻';
}

/** The app and the run that a line is about. Where it is linked the beginning tells runs apart, as it does commits. */
function subject(
  { appName, runId }: { appName?: string | undefined; runId?: string | undefined },
  width?: number,
): (string | LinkedText<LineTarget>)[] {
  const run = width === undefined ? runWidth : shortRunWidth;
  const isCut = width !== undefined && runId !== undefined && idPattern.test(runId);
  const text = wholeColumn(isCut ? runId.slice(0, run) : runId, run);
  const id = text.trimEnd();
  return [
    wholeColumn(appName, width ?? appWidth),
    runId === undefined ? text : joined([linkTo('delivery', id), text.slice(id.length)]),
  ];
}

/** The columns of the status, the size and the time since the run. */
function numbers({ answered, bytes, sinceRunMs }: Pick<Delivery, 'answered' | 'bytes' | 'sinceRunMs'>) {
  return [
    answerStatusText(answered).padEnd(3),
    bytesText(bytes).padStart(7),
    (sinceRunMs === undefined ? '' : `+${durationText(sinceRunMs)}`).padEnd(8),
  ];
}

/** An id is not cut, so that it can be searched and copied. All ids of a service have the same length. */
function wholeColumn(id: string | undefined, width: number): string {
  return id !== undefined && idPattern.test(id) ? id.padEnd(width) : column(id, width);
}

function column(text: string | undefined, width: number): string {
  return shortened(oneLine(text ?? '–'), width).padEnd(width);
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…`.toWellFormed() : text;
}

/** The status that a delivery was answered with. @param answered 0 where it got no answer, or none yet */
export function answerStatusText(answered: number): string {
  return answered === 0 ? '–' : answered.toString();
}
