/** What an element is made of: attributes as they stand in HTML, a listener for each event. */
interface Parts {
  attributes?: Readonly<Record<string, string>>;
  text?: string;
  on?: Readonly<Record<string, (event: Event) => void>>;
}

/** Makes an element. Text goes in as text: no markup is ever parsed here. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { attributes = {}, text, on = {} }: Parts = {},
  children: readonly Node[] = [],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  for (const [event, listener] of Object.entries(on)) made.addEventListener(event, listener);
  made.append(...children);
  return made;
}

/** Sets a text where it is another one: a live region that is written again is read out again. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
