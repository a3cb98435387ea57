// Stores an answer that never ends, until the process is killed: `node answerProcess.ts <storage folder> <run as JSON>`.
import { AnswerStore } from '../../../src/editor/run/answers/answerFile.ts';
import type { Run } from '../../../src/service/runs/run.ts';

const [storage = '', json = ''] = process.argv.slice(2);
const store = new AnswerStore(storage, (error) => console.error(error));
const writer = store.begin(JSON.parse(json) as Run, {
  url: 'http://127.0.0.1:1/run',
  results: [],
  isSandbox: false,
});
writer.begin({ status: 200, headers: { 'content-type': 'text/plain' }, afterMs: 1 });
for (let number = 1; ; number += 1) {
  await writer.append(Buffer.from(`${number}\n`));
  console.log(number);
}
