import { once } from 'node:events';
import { failureReason } from '../../shared/http/failureReason.ts';
import { LineWriter, notShownText } from '../../shared/text/lineWriter.ts';
import { runSandbox } from './sandboxProgram.ts';

const usage = 'Usage: node sandbox.js [--port PORT] [--app NAME=URL]…';

const [output, errors] = [
  new LineWriter(process.stdout, notShownText),
  new LineWriter(process.stderr, notShownText),
];
for (const writer of [output, errors]) {
  writer.goOn();
  writer.leaveOut();
}
// Whoever reads the output may close it early.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const ended = () => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);

runSandbox(process.argv.slice(2), {
  ended,
  printJson: (value) => output.line(JSON.stringify(value)),
  log: (line) => errors.line(line),
}).then(
  () => process.exit(0),
  (error: unknown) => {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${failureReason(error) ?? fault}\n${usage}\n`);
    process.exitCode = 2;
  },
);
