import type { MemoryUse } from '../support/bridge/bridgeProtocol.ts';
import type { BurstResult, EditorLatency } from './workbenchBurst.ts';

/** Formats the result of a burst as Markdown. */
export function burstTable({
  deliveries,
  answeredMs,
  shownMs,
  lines,
  quiet,
  during,
  memory,
}: BurstResult): string {
  return [
    `${deliveries} deliveries: answered in ${seconds(answeredMs)}, ${lines} lines in the output after ${seconds(shownMs)}`,
    '',
    '| latency of the editor, ms       | quiet | during the burst |',
    '| ------------------------------- | ----- | ---------------- |',
    row('a command: median', quiet.command.median, during.command.median),
    row('90th percentile', quiet.command.p90, during.command.p90),
    row('99th percentile', quiet.command.p99, during.command.p99),
    row('worst', quiet.command.worst, during.command.worst),
    row(`the palette: median ${openings(quiet, during)}`, quiet.palette.median, during.palette.median),
    row('worst', quiet.palette.worst, during.palette.worst),
    row('work of the extension host at a stretch: 99th percentile', quiet.work.p99, during.work.p99),
    row('worst', quiet.work.worst, during.work.worst),
    row('in all', quiet.work.total, during.work.total),
    '',
    '| memory after garbage collection, MB | before | after | after another burst | with the output cleared |',
    '| ----------------------------------- | ------ | ----- | ------------------- | ----------------------- |',
    ...parts.map(([name, part]) => row(name, ...memory.map((use) => use[part] / 1e6))),
  ].join('\n');
}

const parts: readonly [name: string, part: keyof MemoryUse][] = [
  ['heap of the extension host', 'hostHeap'],
  ['the whole process', 'rss'],
];

function row(name: string, ...values: number[]): string {
  return `| ${[name, ...values.map((value) => value.toFixed(1))].join(' | ')} |`;
}

function openings(quiet: EditorLatency, during: EditorLatency): string {
  return `(of ${quiet.palette.count} and ${during.palette.count} openings)`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
