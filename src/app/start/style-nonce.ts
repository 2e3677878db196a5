/**
 * Lets libraries add style sheets under our content policy (`style-src 'self' 'nonce-…'`): every `<style>` element made from now on
 * carries the page's nonce. Without it such sheets are dropped in silence.
 */
export function installStyleNonce(page: Document = document): void {
  const nonce = page.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;
  if (!nonce) return;
  const createElement = page.createElement.bind(page);
  page.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = createElement(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}
