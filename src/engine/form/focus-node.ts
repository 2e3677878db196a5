/** The id of the element of a node, by the form's id and the node's key. */
export function nodeElementId(formId: string, key: string): string {
  return [`${formId}-root`, ...(key === '' ? [] : key.split('.'))].join('-').replaceAll(/\s/g, '_');
}

/** Comes from a control that is about to have the focus and may be hidden. */
export const REVEAL = 'canopy:reveal';

/** Puts the focus into a node's control and brings it into view; answers whether there is one. */
export function focusNode(formId: string, key: string): boolean {
  const control = document.getElementById(nodeElementId(formId, key));
  control?.dispatchEvent(new Event(REVEAL, { bubbles: true }));
  control?.focus({ preventScroll: true });
  control?.scrollIntoView?.({ block: 'nearest' });
  return control !== null;
}
