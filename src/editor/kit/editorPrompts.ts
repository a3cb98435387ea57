import * as vscode from 'vscode';
import { looksLikeToken } from '../../service/keys/token.ts';
import {
  BackError,
  type Choice,
  type FieldLine,
  inputMistake,
  inputNote,
  type InputOptions,
  type LiveField,
  misplacedToken,
  type PickOptions,
  type Prompts,
} from './prompts.ts';

/** The prompts that use the UI of the editor. */
export const editorPrompts: Prompts = {
  input,
  pick,
  live: liveBox,
  async pickMany(title, choices) {
    const options = { title, matchOnDescription: true, canPickMany: true } as const;
    const picked = await vscode.window.showQuickPick(withHeadings(choices), options);
    return picked?.map(({ value }) => value);
  },
  async confirm(question, detail, verb) {
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, verb)) === verb;
  },
  async saveFile(title, proposed) {
    return vscode.window.showSaveDialog({ title, defaultUri: proposed });
  },
  async tell(message, verbs, as = 'error') {
    const show = {
      error: vscode.window.showErrorMessage,
      warning: vscode.window.showWarningMessage,
      information: vscode.window.showInformationMessage,
    };
    return show[as](message, ...verbs);
  },
};

async function input(options: InputOptions): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = options.title;
  box.prompt = options.prompt;
  box.value = options.value ?? '';
  box.valueSelection = [0, box.value.length];
  box.placeholder = options.placeHolder ?? '';
  box.ignoreFocusOut = true;
  const updateMessage = (text: string) => {
    box.password = options.password === true || looksLikeToken(text);
    const mistake = inputMistake(options, text);
    const note = mistake === undefined ? inputNote(options, text) : undefined;
    const { Info, Warning } = vscode.InputBoxValidationSeverity;
    box.validationMessage =
      note === undefined ? mistake : { message: note.message, severity: note.isWarning ? Warning : Info };
  };
  updateMessage(box.value);
  // An empty box is no mistake yet.
  if (box.value === '') box.validationMessage = undefined;
  const abort = new AbortController();
  let rejected: string | undefined;
  const checkOnce = async (text: string): Promise<string | undefined> => {
    if (options.check === undefined || text === rejected) return undefined;
    box.busy = true;
    const problem = await options.check(text, abort.signal);
    box.busy = false;
    if (problem !== undefined) rejected = text;
    return problem;
  };
  try {
    return await answerOf(box, options, (accept, fail) => [
      box.onDidChangeValue(updateMessage),
      box.onDidAccept(() => {
        const text = box.value;
        if (box.busy) return;
        if (inputMistake(options, text) !== undefined) {
          updateMessage(text);
          return;
        }
        checkOnce(text).then((problem) => {
          // A text that was changed meanwhile is another one, and is checked when it is entered.
          if (box.value !== text) return;
          if (problem === undefined) accept(text);
          else box.validationMessage = problem;
        }, fail);
      }),
    ]);
  } finally {
    abort.abort();
  }
}

function withHeadings<T>(choices: readonly Choice<T>[]): Choice<T>[] {
  const kind = vscode.QuickPickItemKind.Separator;
  return choices.flatMap((one) =>
    one.heading === undefined ? [one] : [{ ...one, label: one.heading, kind }, one],
  );
}

async function pick<T>(
  title: string,
  choices: readonly Choice<T>[],
  options: PickOptions<T> = {},
): Promise<T | undefined> {
  const box = vscode.window.createQuickPick<Choice<T>>();
  box.title = title;
  box.items = withHeadings(choices);
  box.matchOnDescription = true;
  box.ignoreFocusOut = options.step !== undefined;
  const active = 'active' in options ? choices.find(({ value }) => value === options.active) : undefined;
  if (active !== undefined) box.activeItems = [active];
  return answerOf(box, options, (accept) => [
    box.onDidChangeValue((text) => {
      // A pick cannot mask its input.
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

/**
 * Shows a box until it is answered or closed, with its link, its step and, if there is a previous question, a Back
 * button. Undefined if it was closed.
 * @throws BackError with what was typed, if the user goes back
 */
async function answerOf<T>(
  box: Box,
  { step, link }: Pick<InputOptions, 'step' | 'link'>,
  listen: (accept: (answer: T) => void, fail: (error: unknown) => void) => vscode.Disposable[],
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  // A single question needs no number.
  const numbered = step !== undefined && step.of > 1 ? step : undefined;
  box.step = numbered?.number;
  box.totalSteps = numbered?.of;
  const { Back } = vscode.QuickInputButtons;
  const linked = link && { iconPath: new vscode.ThemeIcon('link-external'), tooltip: link.title };
  box.buttons = [...(step !== undefined && step.number > 1 ? [Back] : []), ...(linked ? [linked] : [])];
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

type Line = vscode.QuickPickItem & Pick<FieldLine, 'text'>;

/** Shows a field that reacts to each keystroke. @returns whether its text was kept; false if closed, as by Escape */
export async function liveBox(field: LiveField): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const box = vscode.window.createQuickPick<Line>();
  box.title = field.title;
  box.placeholder = field.placeHolder;
  box.value = field.value;
  // The user may click on results elsewhere while the field is open.
  box.ignoreFocusOut = true;
  const draw = (): Line[] => {
    const items: Line[] = field.lines().map(({ label, description, icon, text }) => ({
      label,
      // Otherwise the editor would filter out items that do not contain the text.
      alwaysShow: true,
      ...(description !== undefined && { description }),
      ...(icon !== undefined && { iconPath: new vscode.ThemeIcon(icon) }),
      ...(text !== undefined && { text }),
    }));
    box.items = items;
    return items;
  };
  /** Redraws while the text stays the same: the active line stays active. */
  const drawAgain = (): void => {
    const active = box.activeItems[0]?.text;
    const still = draw().find(({ text }) => text !== undefined && text === active);
    if (still !== undefined) box.activeItems = [still];
  };
  const follow = (text: string): void => {
    // A pick cannot mask its input.
    const isToken = looksLikeToken(text);
    if (isToken) box.value = '';
    box.placeholder = isToken ? misplacedToken() : field.placeHolder;
    field.follow(isToken ? '' : text);
    draw();
  };
  const listening = field.listen(drawAgain, () => resolve(true));
  const subscriptions = vscode.Disposable.from(
    { dispose: () => void listening.dispose() },
    box.onDidChangeValue(follow),
    box.onDidAccept(() => {
      const text = box.selectedItems[0]?.text;
      if (text === undefined || text.trim() === box.value.trim()) {
        if (field.canBeKept()) resolve(true);
        return;
      }
      box.value = text;
      follow(text);
    }),
    box.onDidHide(() => resolve(false)),
  );
  follow(field.value);
  box.show();
  try {
    return await promise;
  } finally {
    subscriptions.dispose();
    box.dispose();
  }
}
