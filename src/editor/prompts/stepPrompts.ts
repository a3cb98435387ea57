import * as vscode from 'vscode';
import { BackError } from './backError.ts';
import { inputMessage } from './inputMessage.ts';
import type { Choice, InputLink, InputOptions, Step } from './prompts.ts';

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
  box.password = options.password ?? false;
  const say = (text: string) => {
    box.validationMessage = inputMessage(options, text);
  };
  // An empty box is no mistake yet.
  if (box.value !== '') say(box.value);
  return answerOf(box, options, (accept) => [
    box.onDidChangeValue(say),
    box.onDidAccept(() => {
      if (options.validate?.(box.value) === undefined) accept(box.value);
      else say(box.value);
    }),
  ]);
}

/** Like `inputStep`, for a choice. @param active the value of the choice in front */
export async function pickStep<T>(
  title: string,
  choices: readonly Choice<T>[],
  step: Step,
  active: T | undefined,
): Promise<T | undefined> {
  const box = vscode.window.createQuickPick<Choice<T>>();
  box.title = title;
  box.items = choices;
  box.activeItems = choices.filter(({ value }) => value === active).slice(0, 1);
  box.matchOnDescription = true;
  return answerOf(box, { step }, (accept) => [
    box.onDidAccept(() => {
      const [chosen] = box.selectedItems;
      if (chosen !== undefined) accept(chosen.value);
    }),
  ]);
}

type Box = Pick<
  vscode.InputBox,
  | 'buttons'
  | 'dispose'
  | 'ignoreFocusOut'
  | 'onDidHide'
  | 'onDidTriggerButton'
  | 'show'
  | 'step'
  | 'totalSteps'
> & { readonly value: string };

/** Shows a box until it is answered, gone back from, or closed: that is undefined. */
async function answerOf<T>(
  box: Box,
  { step, link }: { step?: Step; link?: InputLink },
  listen: (accept: (answer: T) => void) => vscode.Disposable[],
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  box.step = step?.number;
  box.totalSteps = step?.of;
  const { Back } = vscode.QuickInputButtons;
  const linked = link && { iconPath: new vscode.ThemeIcon('link-external'), tooltip: link.title };
  box.buttons = [...(step?.canGoBack === true ? [Back] : []), ...(linked ? [linked] : [])];
  box.ignoreFocusOut = true;
  const subscriptions = vscode.Disposable.from(
    ...listen(resolve),
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
