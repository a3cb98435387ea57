import type { Frame, Locator } from 'playwright-core';

/** The part of the DOM's `Node` used here; see `ScreenElement`. */
interface ShownNode {
  readonly nodeType: number;
  readonly localName?: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<ShownNode>;
  readonly shadowRoot?: ShownNode | null;
  getAttribute?(name: string): string | null;
  checkVisibility?(): boolean;
}

/** All texts that a user sees or a screen reader reads: also in shadow roots, tooltips and ARIA attributes. */
export async function visibleTexts(shown: Locator | Frame): Promise<string[]> {
  const roots = 'goto' in shown ? shown.locator('body') : shown;
  const texts = await roots.evaluateAll((elements: readonly ShownNode[]) => {
    const found: string[] = [];
    const visit = (node: ShownNode): void => {
      if (node.nodeType === 3) found.push(node.textContent ?? '');
      if (node.localName === 'style' || node.localName === 'script') return;
      if (node.nodeType === 1 && node.checkVisibility?.() === false) return;
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
        found.push(node.getAttribute?.(name) ?? '');
      }
      if (node.shadowRoot) visit(node.shadowRoot);
      for (const child of node.childNodes) visit(child);
    };
    for (const element of elements) visit(element);
    return found;
  });
  return [
    ...new Set(texts.map((text) => text.replaceAll('\u00a0', ' ').trim()).filter((text) => text !== '')),
  ];
}
