import type { Guard } from './guard.ts';

const explanation = 'src/webhooks/explanation/explanation.ts';
const search = 'src/webhooks/diagnosis/causeSearch.ts';

/** Against one who reads explanations, or has something explained. */
export const explanationGuards: readonly Guard[] = [
  {
    guard: 'the expected signature of what does not verify is hidden',
    file: explanation,
    is: 'const isHidden = [false, !isRight, !isRight && mayFit(diagnosis)];',
    without: 'const isHidden = [false, false, !isRight && mayFit(diagnosis)];',
    tests: {
      'unit/webhooks/explanation/explanation.test.ts': [
        "a stranger's, under a key of their own",
        'nor where not all was tried, so that the received one may be right',
      ],
      'editor/deliveries/explanation.test.ts': [
        'tell nobody a signature that would make a forgery verify, but draw it on the screen',
        'of a pasted request leave it out too',
      ],
    },
  },
  {
    guard: 'a received signature that may be right for something else is hidden',
    file: explanation,
    is: 'return diagnosis.isKeyHeld;',
    without: 'return false;',
    tests: {
      'unit/webhooks/explanation/explanation.test.ts': [
        'one whose body was changed on the way',
        'whatever is signed, and whatever arrives',
      ],
    },
  },
  {
    guard: 'what is drawn belongs to the text under it',
    file: 'src/editor/deliveries/view/drawHidden.ts',
    is: 'if (editor.document.getText() !== text) {',
    without: 'if (false) {',
    tests: { 'editor/deliveries/explanation.test.ts': ['draw nothing that belongs to another secret'] },
  },
  {
    guard: 'the search has a limit of time',
    file: search,
    is: 'this.#isOver = this.#bytesLeft < 0 || !this.#effort.goesOn();',
    without: 'this.#isOver = this.#bytesLeft < 0;',
    tests: { 'unit/webhooks/diagnosis/diagnosis.test.ts': ['stops where its time ends, and says so'] },
  },
  {
    guard: 'JSON of too many tokens is not laid out',
    file: 'src/webhooks/diagnosis/contentVariants.ts',
    is: 'fewJsonTokens(text, maxTokens)',
    without: 'fewJsonTokens(text, Number.POSITIVE_INFINITY)',
    tests: {
      'unit/webhooks/diagnosis/diagnosis.test.ts': ['does not lay out JSON of too many tokens, and says so'],
    },
  },
  {
    guard: 'the thread has a limit of time',
    file: 'src/webhooks/explanation/explainApart.ts',
    is: '}, overallMs);',
    without: '}, 100 * overallMs);',
    tests: {
      'unit/webhooks/explanation/explainApart.test.ts': [
        'gives what was known by then, where the thread does not end',
      ],
    },
  },
  {
    guard: 'a delivery is explained in a thread of its own',
    file: 'src/editor/deliveries/explanation/explainer.ts',
    is: 'await explainApart(this.#workerFile, asked, signal)',
    without: `(explainApart, signal, (await import('../../webhooks/explanation.ts')).explain(
          {
            ...asked,
            body: Buffer.from(asked.body),
            effort: (await import('../../webhooks/causeSearch.ts')).thorough(() => true),
          },
          asked.about,
        ))`,
    tests: {
      'editor/deliveries/explanation.test.ts': ['are made soon, while the extension host goes on'],
    },
  },
  {
    guard: 'no large body is hashed in passing',
    file: search,
    is: 'const inPassing: Effort = { bytes: megabyte,',
    without: 'const inPassing: Effort = { bytes: 4096 * megabyte,',
    tests: { 'unit/webhooks/diagnosis/diagnosis.test.ts': ['hashes no large body in passing, and says so'] },
  },
  {
    guard: 'no large body is read to its end in passing',
    file: 'src/model/runs/runId.ts',
    is: 'return tokens < mostTokens && ',
    without: 'return ',
    tests: {
      'unit/model/runs/runId.test.ts': [
        'takes no longer than the text is long, and does not read a long one to its end',
      ],
    },
  },
];
