import type { Guard } from './guard.ts';

const whereRunsGo = 'editor/run/whereRunsGo.test.ts';
const runUrl = 'unit/model/runs/runUrl.test.ts';
const resultAddresses = 'unit/model/runs/resultAddresses.test.ts';

/** Against a call that goes elsewhere than it says, whoever wrote it. */
export const runGuards: readonly Guard[] = [
  {
    guard: 'a path that leaves the app by any reading is refused',
    file: 'src/model/runs/runUrl.ts',
    is: ' || leavesItsPlace(pathname) || leavesItsPlace(url.pathname)',
    without: '',
    tests: {
      [runUrl]: ['is refused, whatever the reading'],
      [whereRunsGo]: ['is below the app, or nowhere'],
    },
  },
  {
    guard: 'what parsers drop or turn is refused',
    file: 'src/model/runs/runUrl.ts',
    is: '  refuseUnsendable(path, pathname);\n',
    without: '',
    tests: {
      [runUrl]: ['is refused where it holds what parsers drop or turn'],
      [whereRunsGo]: ['is below the app, or nowhere'],
    },
  },
  {
    guard: 'what was checked is what is sent',
    file: 'src/client/fetchTransport.ts',
    is: '    refuseChanged(url);\n',
    without: '',
    tests: {
      'unit/client/transport.test.ts': ['puts path and query on the wire as they stand in the address'],
    },
  },
  {
    guard: 'an address for the result is found by any reading',
    file: 'src/model/runs/resultAddresses.ts',
    is: "return letters === 'WEBHOOKENDPOINT';",
    without: "return name === 'webhookEndpoint' && letters !== '';",
    tests: {
      [resultAddresses]: ['are found by whoever reads it'],
      [whereRunsGo]: ['shows every address that the result is sent to'],
    },
  },
  {
    guard: 'an address whose host may be read in two ways is refused',
    file: 'src/model/runs/resultAddresses.ts',
    is: 'plainAddress.test(text) ? ',
    without: 'plainAddress ? ',
    tests: { [resultAddresses]: ['are refused where they may be read in two ways'] },
  },
  {
    guard: 'the user is asked for what a file says',
    file: 'src/editor/run/runner.ts',
    is: 'if (!confirmed) await question.ask(',
    without: 'if (!question) await this.#parts.question.ask(',
    tests: {
      'editor/run/payload.test.ts': [
        'sends the result of a file to another machine only where the user agrees',
      ],
      [whereRunsGo]: [
        'shows every address that the result is sent to',
        'asks before a result is signed for another machine that the query names',
        'shows the address that it will reach before its first run',
      ],
    },
  },
  {
    guard: 'the question of a tool names every address of the result',
    file: 'src/editor/agents/changeTools.ts',
    is: "const addresses = resultAddresses.map(({ href }) => href).join(', ');",
    without: "const addresses = resultAddresses.length > 9 ? 'many' : '';",
    tests: { 'editor/agents/tools.test.ts': ['names every address that the result of a run goes to'] },
  },
];
