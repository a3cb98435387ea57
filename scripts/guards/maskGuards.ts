import type { Guard } from './guard.ts';

const tool = 'src/editor/agents/tool.ts';
const finder = 'src/model/masking/secretFinder.ts';
const anySecret = 'unit/model/anySecret.test.ts';
const masked = 'editor/agents/maskedAnswers.test.ts';
const guarded = 'editor/agents/toolGuard.test.ts';

/** Against what would have a token or secret told: the mask, and the place where a tool's answer goes through it. */
export const maskGuards: readonly Guard[] = [
  {
    guard: 'the answer of a tool is masked',
    file: tool,
    is: 'toolText(answer, mask)',
    without: 'toolText(answer, mask && new SecretMask([]))',
    tests: { [masked]: ['holds no token and no secret'] },
  },
  {
    guard: 'so is what a tool fails with',
    file: tool,
    is: 'new SecretMask(await held()).start(message)',
    without: '(await held()) && message',
    tests: {
      [masked]: ['holds no token and no secret where each delivery is explained, and where a call fails'],
      [guarded]: ['masks what it fails with, and leaves what is not meant for a reader to the log'],
    },
  },
  {
    guard: 'a tool does nothing while the secret store cannot be read',
    file: tool,
    is: 'const before = await guard.held();',
    without: 'const before = await guard.held().catch(() => []);',
    tests: { [guarded]: ['does nothing where the secret store cannot be read, and says so'] },
  },
  {
    guard: 'what has been made meanwhile is masked too',
    file: tool,
    is: '[...before, ...(await guard.held())]',
    without: 'before',
    tests: {
      [guarded]: [
        'masks what was held before it ran, and what has been made meanwhile',
        'tells nothing where the secret store cannot be read any more',
      ],
    },
  },
  {
    guard: 'a call that is cancelled is broken off',
    file: tool,
    is: 'abort.abort();',
    without: '',
    tests: {
      [guarded]: ['is over as soon as its call is cancelled, and its work is aborted'],
      [masked]: ['is nothing once the call is cancelled: the run is broken off'],
    },
  },
  {
    guard: 'the beginning of a secret is masked where a text is cut',
    file: 'src/editor/agents/toolText.ts',
    is: 'mask.start(text) : text',
    without: 'text : text',
    tests: {
      'unit/editor/agents/toolText.test.ts': [
        'has no value of the mask, nor the beginning of one where a text is cut, here or before',
      ],
    },
  },
  {
    guard: 'the mask knows base64 and hexadecimal',
    file: 'src/model/masking/secretForms.ts',
    is: "...encoded.flatMap((one) => encodedForm(one, 'anywhere')),",
    without: '',
    tests: {
      'unit/model/masking/secretMaskForms.test.ts': [
        'is taken out of base64 of a longer text, wherever it stands in that',
      ],
      [anySecret]: ['is taken out, in whatever way it is written, and the rest stays'],
    },
  },
  {
    guard: 'the mask sees over what something was split by',
    file: finder,
    is: '} else if (isGap(byte) || names?.[at] === 1) gap += 1;',
    without: '} else if (names?.[at] === 1) gap += 1;',
    tests: { [anySecret]: ['is taken out where it is split, wherever and by whatever'] },
  },
  {
    guard: 'what may be the beginning of a secret waits',
    file: 'src/model/masking/secretMask.ts',
    is: 'const end = across?.end ?? begun;',
    without: 'const end = across?.end ?? Math.max(begun, bytes.length);',
    tests: { [anySecret]: ['is taken out of a body that comes in pieces'] },
  },
  {
    guard: 'the mask compares so much and no more',
    file: finder,
    is: 'if (search.left < 0 && matched.length >= anchorLength) break;',
    without: '',
    tests: { [anySecret]: ['takes no longer than the text is long, however much of it is like a secret'] },
  },
];
