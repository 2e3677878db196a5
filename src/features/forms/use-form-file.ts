import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { confirm, openDialog } from '../../engine/dialogs/index.ts';
import { confirmLoss, useUnsavedGuard } from '../../engine/form/use-unsaved-guard.ts';
import { ApiError, failureMessage } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { askForId } from './ask-for-id.ts';
import { studio, type FormSource } from './studio-api.ts';

/** A form's file under edit: its text, what is saved of it, and what can be done with it. Failures are shown in toasts. */
export interface FormFileState {
  text: string;
  /** What the server has; `undefined` while the form is new. */
  source: FormSource | undefined;
  setText(text: string): void;
  save(): Promise<void>;
  openVersions(): Promise<void>;
  copy(): Promise<void>;
  remove(): Promise<void>;
}

export function useFormFile(id: string, start: EditorStart): FormFileState {
  const navigate = useNavigate();
  const [source, setSource] = useState(start.source);
  const [text, setText] = useState(start.text);
  // Read by the guard at the moment of leaving.
  const now = useRef({ text, saved: start.text });
  useEffect(() => void (now.current.text = text), [text]);
  const guarded = useMemo(() => ({ isDirty: () => now.current.text !== now.current.saved }), []);
  useUnsavedGuard(guarded);

  function take(next: FormSource): void {
    const content = next.text ?? '';
    now.current = { text: content, saved: content };
    setSource(next);
    setText(content);
  }

  async function save(etag = source?.etag ?? null): Promise<void> {
    const sent = text;
    try {
      const saved = await studio.save(id, sent, etag);
      // What was typed meanwhile stays, unsaved.
      now.current.saved = sent;
      setSource(saved);
      toasts.success(translate('studio.saved', { version: saved.version ?? 0 }));
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code === 'FORM_CHANGED') await settle(sent);
      else toasts.error(code === 'INVALID_FORM' ? translate('studio.not_saved') : failureMessage(error));
    }
  }

  /** Somebody else saved meanwhile: both texts are shown, and the user chooses. */
  async function settle(mine: string): Promise<void> {
    try {
      const theirs = await studio.read(id);
      const choice = await openDialog('forms.conflict', { mine, theirs: theirs?.text ?? '', by: theirs?.updated_by ?? '' });
      if (choice === 'mine') await save(theirs?.etag ?? null);
      else if (choice === 'theirs' && theirs) take(theirs);
    } catch (error) {
      toasts.error(failureMessage(error));
    }
  }

  async function reread(): Promise<void> {
    const next = await studio.read(id);
    if (next) take(next);
  }

  return {
    text,
    source,
    setText,
    save: () => save(),
    async openVersions() {
      const number = await openDialog('forms.versions', { id, text });
      if (number === undefined || !(await confirmLoss(guarded))) return;
      try {
        await studio.restore(id, number, source?.etag ?? null);
        toasts.success(translate('studio.restored', { version: number }));
        await reread();
      } catch (error) {
        const isChanged = error instanceof ApiError && error.code === 'FORM_CHANGED';
        toasts.error(failureMessage(error));
        if (isChanged) await reread();
      }
    },
    async copy() {
      const copy = await askForId(translate('studio.copy'), [{ id }]);
      if (copy !== undefined) void navigate(`/forms/edit/${copy}?from=${encodeURIComponent(id)}`);
    },
    async remove() {
      const isSure = await confirm({
        title: translate('studio.remove.title', { id }),
        promptContent: translate('studio.remove.body'),
        confirmText: translate('studio.remove'),
        danger: true,
      });
      if (!isSure) return;
      try {
        await studio.remove(id, source?.etag ?? null);
        now.current.saved = now.current.text;
        void navigate('/forms');
      } catch (error) {
        toasts.error(failureMessage(error));
      }
    },
  };
}

/** What an editor starts with: a form of this installation, or the text of a new one. */
export interface EditorStart {
  source: FormSource | undefined;
  text: string;
}
