/** The answers that came with the page (docs/behaviour.md section 4, Start-up), by address below the API; taken out of it. None without them. */
export function takeFirstAnswers(): Record<string, unknown> {
  const element = document.querySelector('#first-answers');
  if (!element) return {};
  element.remove();
  // Written by our server for this page.
  return JSON.parse(element.textContent) as Record<string, unknown>;
}
