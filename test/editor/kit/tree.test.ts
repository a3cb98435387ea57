import { node, type Node, Tree } from '../../../src/editor/kit/tree.ts';
import { eventually } from '../../support/editor/inEditor.ts';

/** One folder, whose rows take as long as a test says. */
class OneFolder extends Tree {
  label = 'old';
  /** What the next request for the roots waits for, once it has read the label. */
  gate: Promise<unknown> = Promise.resolve();

  /** How often the roots were asked for. */
  asked = 0;

  protected override async roots(): Promise<Node[]> {
    const { label, gate } = this;
    this.asked += 1;
    await gate;
    return [node({ id: 'folder', label, argument: {}, children: () => [] })];
  }
}

describe('the rows of a view', () => {
  it('are drawn anew where the view has taken a row that was built before a newer one', async () => {
    const tree = new OneFolder();
    const drawn: unknown[] = [];
    /** As the view does. */
    const draw = async (): Promise<void> => {
      for (const one of await tree.getChildren()) drawn.push(tree.getTreeItem(one).label);
    };
    const changes = tree.onDidChangeTreeData(() => void draw());
    await draw();
    const { promise, resolve: goOn } = Promise.withResolvers<undefined>();
    Object.assign(tree, { label: 'older', gate: promise });
    tree.redraw();
    await eventually(() => tree.asked === 2 || undefined);
    Object.assign(tree, { label: 'new', gate: Promise.resolve() });
    const [row] = await tree.getChildren();
    // The rows that were asked for first come last.
    goOn(undefined);
    await new Promise((resolve) => setImmediate(resolve));
    drawn.push(tree.getTreeItem(row!).label);
    await eventually(() => drawn.at(-1) === 'new' || undefined);
    changes.dispose();
    tree.dispose();
  });
});
