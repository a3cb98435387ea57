import * as vscode from 'vscode';
import { looksLikeToken } from '../../model/keys/token.ts';
import { misplacedToken } from './inputMessage.ts';
import type { FieldLine, LiveField } from './prompts.ts';

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
