import type { Guard } from './guard.ts';

/** Against what a language model was talked into. */
export const modelGuards: readonly Guard[] = [
  {
    guard: 'the editor asks first and shows what will be sent',
    file: 'src/editor/agents/tool.ts',
    is: 'const confirmationMessages = tool.question?.(read);',
    without: 'const confirmationMessages = undefined;',
    tests: { 'editor/agents/tools.test.ts': ['shows what an apply changes, and where'] },
  },
  {
    guard: 'the model cannot say that you have agreed',
    file: 'src/editor/agents/toolInputs.ts',
    is: 'applySettings: v.strictObject(',
    without: 'applySettings: v.object(',
    tests: {
      'unit/editor/agents/toolInputs.test.ts': ["takes neither a secret nor the user's agreement"],
    },
  },
  {
    guard: 'Runhook asks by itself under prod',
    file: 'src/editor/projects/projects.ts',
    is: 'await confirmProduction(this.#prompts, this.get(projectId), serviceAccount, call.action);',
    without: '',
    tests: {
      'editor/agents/tools.test.ts': ['asks the user whatever the chat has allowed, and a no ends it'],
      'editor/otherExtensions.test.ts': [
        'is asked for by Runhook, under prod, unless it says that the user has agreed',
      ],
    },
  },
  {
    guard: 'what an app echoes is masked',
    file: 'src/editor/agents/changeTools.ts',
    is: 'body: maskJson(result.body)',
    without: 'body: result.body',
    tests: { 'editor/agents/tools.test.ts': ['run an app, and mask the token that it echoes'] },
  },
  {
    guard: 'a test delivery of a model goes to this machine alone',
    file: 'src/editor/agents/loopbackUrl.ts',
    is: 'if (isLoopback(url.hostname)) return url;',
    without: 'if (url.hostname !== undefined) return url;',
    tests: { 'editor/agents/tools.test.ts': ['send nothing to another machine'] },
  },
  {
    guard: 'what a model wrote is shown as a block of code',
    file: 'src/editor/agents/changeTools.ts',
    is: ".appendCodeblock(jsonLines(body).join('\\n'), 'json')",
    without: ".appendMarkdown(jsonLines(body).join('\\n'))",
    tests: { 'editor/agents/tools.test.ts': ['cannot be talked over by a body that looks like Markdown'] },
  },
  {
    guard: 'no tool replays, and none signs what has arrived',
    file: 'src/editor/agents/toolInputs.ts',
    is: 'explainDelivery: v.strictObject({ id }),',
    without: 'explainDelivery: v.strictObject({ id, resign: v.exactOptional(v.boolean()) }),',
    tests: {
      'unit/editor/agents/toolInputs.test.ts': ['lets no model replay or sign what has arrived'],
    },
  },
];
