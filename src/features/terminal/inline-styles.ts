let isInstalled = false;

/**
 * Lets xterm colour what has no class of its own (24-bit colours, search hits): it sets such colours as style attributes of spans, which our content
 * policy drops in silence. Set by the object model they are shown.
 */
export function installInlineStyles(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { setAttribute } = Element.prototype;
  HTMLSpanElement.prototype.setAttribute = function setAttributeOrStyle(name: string, value: string): void {
    if (name === 'style') this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
}
