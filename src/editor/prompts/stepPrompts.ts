import * as vscode from 'vscode';
import { looksLikeToken } from '../../model/keys/token.ts';
import { BackError } from './backError.ts';
import { inputMessage, inputMistake, misplacedToken } from './inputMessage.ts';
import type { Choice, InputLink, InputOptions, PickOptions, Step } from './prompts.ts';

/**
 * An input box with its link, its step and, where there is a question before it, a way back to that.
 * @throws BackError with what was typed
 */
export async function inputStep(options: InputOptions): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = options.title;
  box.prompt = options.prompt;
  box.value = options.value ?? '';
  box.valueSelection = [0, box.value.length];
  box.placeholder = options.placeHolder ?? '';
  box.ignoreFocusOut = true;
  const say = (text: string) => {
    box.password = options.password === true || looksLikeToken(text);
    box.validationMessage = inputMessage(options, text);
  };
  say(box.value);
  // An empty box is no mistake yet.
  if (box.value === '') box.validationMessage = undefined;
  const abort = new AbortController();
  let doubted: string | undefined;
  const doubt = async (text: string): Promise<string | undefined> => {
    if (options.check === undefined || text === doubted) return undefined;
    box.busy = true;
    const problem = await options.check(text, abort.signal);
    box.busy = false;
    if (problem !== undefined) doubted = text;
    return problem;
  };
  try {
    return await answerOf(box, options, (accept, fail) => [
      box.onDidChangeValue(say),
      box.onDidAccept(() => {
        const text = box.value;
        if (box.busy) return;
        if (inputMistake(options, text) !== undefined) {
          say(text);
          return;
        }
        doubt(text).then((problem) => {
          if (problem === undefined) accept(text);
          else if (box.value === text) box.validationMessage = problem;
        }, fail);
      }),
    ]);
  } finally {
    abort.abort();
  }
}

/** Like `inputStep`, for a choice. */
export async function pickStep<T>(
  title: string,
  choices: readonly Choice<T>[],
  { step, ...options }: PickOptions<T>,
): Promise<T | undefined> {
  const box = vscode.window.createQuickPick<Choice<T>>();
  box.title = title;
  box.items = choices;
  box.matchOnDescription = true;
  box.ignoreFocusOut = step !== undefined;
  const active = 'active' in options ? choices.find(({ value }) => value === options.active) : undefined;
  if (active !== undefined) box.activeItems = [active];
  return answerOf(box, { ...(step && { step }) }, (accept) => [
    box.onDidChangeValue((text) => {
      // A pick cannot hide what is typed into it.
      if (!looksLikeToken(text)) return;
      box.value = '';
      box.placeholder = misplacedToken();
    }),
    box.onDidAccept(() => {
      const [chosen] = box.selectedItems;
      if (chosen !== undefined) accept(chosen.value);
    }),
  ]);
}

type Box = Pick<
  vscode.InputBox,
  'buttons' | 'dispose' | 'onDidHide' | 'onDidTriggerButton' | 'show' | 'step' | 'totalSteps'
> & { readonly value: string };

/** Shows a box until it is answered, gone back from, or closed: that is undefined. */
async function answerOf<T>(
  box: Box,
  { step, link }: { step?: Step; link?: InputLink },
  listen: (accept: (answer: T) => void, fail: (error: unknown) => void) => vscode.Disposable[],
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  // One question alone needs no number.
  const numbered = step !== undefined && step.of > 1 ? step : undefined;
  box.step = numbered?.number;
  box.totalSteps = numbered?.of;
  const { Back } = vscode.QuickInputButtons;
  const linked = link && { iconPath: new vscode.ThemeIcon('link-external'), tooltip: link.title };
  box.buttons = [...(step?.canGoBack === true ? [Back] : []), ...(linked ? [linked] : [])];
  const subscriptions = vscode.Disposable.from(
    ...listen(resolve, reject),
    box.onDidTriggerButton((button) => {
      if (button === Back) reject(new BackError(box.value));
      else link?.open();
    }),
    box.onDidHide(() => resolve(undefined)),
  );
  box.show();
  try {
    return await promise;
  } finally {
    subscriptions.dispose();
    box.dispose();
  }
}
