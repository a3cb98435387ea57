/** Where a person is on the page. */
export interface Place {
  /** How far it is scrolled, in pixels. */
  top: number;
  /** The name of the field or of the button that had the focus last; empty if none had it. */
  focused: string;
}

/** Notes where the person goes. @param place is changed */
export function followPlace(root: HTMLElement, place: Place, changed: () => void): void {
  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const { field, reset, sendAgain, goTo, action } = target.dataset;
    place.focused = field ?? reset ?? sendAgain ?? goTo ?? action ?? place.focused;
    changed();
  });
  window.addEventListener('scroll', () => {
    place.top = window.scrollY;
    changed();
  });
}

export function scrollToPlace({ top }: Place): void {
  // By the next frame all elements are drawn.
  requestAnimationFrame(() => window.scrollTo({ top }));
}

/** Has the focus where it was, or on the first field if it was nowhere, unless something else has it by now. */
export function focusPlace(root: HTMLElement, { focused }: Place): void {
  const name = CSS.escape(focused);
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const last = root.querySelector<HTMLElement>(`[data-field="${name}"], [data-action="${name}"]`);
    // A link beside a message goes with it: what it led to is an apply.
    const other = focused === '' ? '[data-field]' : '[data-action="apply"]';
    const place = last ?? root.querySelector<HTMLElement>(other);
    // A button of the toolbar takes the focus inside, and not itself.
    (place?.shadowRoot?.querySelector('button') ?? place)?.focus({ preventScroll: true });
  });
}
