import * as vscode from 'vscode';
import type { ButtonChoice, ChoiceButton, PickedOrActed } from './prompts.ts';

interface Line<T, A> extends vscode.QuickPickItem {
  choice: ButtonChoice<T, A>;
  buttons: Button<A>[];
}

interface Button<A> extends vscode.QuickInputButton {
  action: A;
}

/** A pick whose lines carry buttons. Resolves with undefined where the user closed it. */
export function buttonPick<T, A>(
  title: string,
  choices: readonly ButtonChoice<T, A>[],
): Promise<PickedOrActed<T, A> | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick<Line<T, A>>();
    pick.title = title;
    pick.items = choices.map((choice) => ({
      label: choice.label,
      ...(choice.description !== undefined && { description: choice.description }),
      buttons: choice.buttons.map(buttonOf),
      choice,
    }));
    pick.onDidAccept(() => {
      const [line] = pick.selectedItems;
      if (line === undefined) return;
      resolve({ value: line.choice.value });
      pick.hide();
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      // The buttons of these lines are those that were put there.
      resolve({ value: item.choice.value, action: (button as Button<A>).action });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function buttonOf<A>({ icon, title, action }: ChoiceButton<A>): Button<A> {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip: title, action };
}
