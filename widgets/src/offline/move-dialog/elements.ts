/** Makes elements of the page. */

type Attributes = Record<string, string | boolean>;

/** Returns an element with its attributes, of which true ones have no value and false ones are left out. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(attribute, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}
