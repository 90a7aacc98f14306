/** Makes elements of a page outside React. */

/** Returns a new element with these properties and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  values: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), values);
  made.append(...children);
  return made;
}
