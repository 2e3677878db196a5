import { ApiError, findBehaviour, type FailureScreen } from '../../kernel/http/index.ts';

/** The screen to start with when the user could not be loaded. */
export type StartFailure = { kind: 'sign-in' } | { kind: FailureScreen } | { kind: 'maintenance'; reason?: 'timeout' | 'no-answer' };

/** What a failed user request at start leads to (docs/behaviour.md section 8): a notice of its own, the sign-in page, or the maintenance screen. */
export function decideStart(error: unknown): StartFailure {
  if (!(error instanceof ApiError)) return { kind: 'maintenance' };
  const behaviour = findBehaviour(error);
  if (behaviour.kind === 'screen') return { kind: behaviour.screen };
  if (error.status === 401) return { kind: 'sign-in' };
  if (error.status === 408) return { kind: 'maintenance', reason: 'timeout' };
  if (error.kind === 'offline') return { kind: 'maintenance', reason: 'no-answer' };
  return { kind: 'maintenance' };
}
