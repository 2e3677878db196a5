import { findUser } from '../../kernel/session/index.ts';
import { letGoOfPage } from '../dialogs/unsaved.ts';
import { keepDraft, type Draft } from './drafts.ts';

/**
 * The session ended: the page is about to be left for signing in again, and what was entered is offered after it. It is kept as the very
 * last thing, because the answer that ends the session makes the browser clear its storage.
 */
export function keepOnLeave(draft: () => Draft): void {
  const user = findUser();
  if (!user) return;
  letGoOfPage();
  window.addEventListener('pagehide', () => keepDraft(user.id, draft()), { once: true });
}
