import * as vscode from 'vscode';
import { toLookAtText } from '../../../deliveries/toLookAt.ts';
import type { Listener } from '../../listener/feature.ts';

/** Shows in the badge of the view how many deliveries need a look. They count as seen once the view is visible. */
export function lookBadge(
  view: Pick<vscode.TreeView<unknown>, 'badge' | 'visible' | 'onDidChangeVisibility'>,
  { looks, onDidChangeLooks }: Pick<Listener, 'looks' | 'onDidChangeLooks'>,
): vscode.Disposable {
  const draw = (): void => {
    const { count } = looks;
    view.badge = count === 0 ? undefined : { value: count, tooltip: toLookAtText(count) };
  };
  const watched = [
    onDidChangeLooks(draw),
    view.onDidChangeVisibility(({ visible }) => looks.setInSight(visible)),
  ];
  looks.setInSight(view.visible);
  draw();
  return vscode.Disposable.from(...watched);
}
