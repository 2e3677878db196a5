import { useCustomMutation } from '@refinedev/core';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import type { Dashboard } from '../../../../schemas/_generated/contract.ts';
import { arranged, EXPORT_FORMAT, type Widget } from '../../../../schemas/kit/resources/dashboards.ts';
import { useEntriesGuard } from '../../../engine/form/use-unsaved-guard.ts';
import { ApiError, failureMessage } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { toasts } from '../../../kernel/toasts/index.ts';
import type { Conflict } from './EditConflict.tsx';
import { mergeWidgets } from './merge-widgets.ts';

const NAME_LENGTH = 100;
const widgetsOf = (dashboard: Dashboard): Widget[] => JSON.parse(dashboard.widgets) as Widget[];

interface BoardEdit {
  widgets: readonly Widget[];
  /** What the edit began with: it is read again in the meantime. */
  base: readonly Widget[];
  version: number;
}

/** An edit of a dashboard. When somebody else saved it meanwhile, `conflict` says what, and the edit stays until a way on is chosen. */
export function useBoardEdit(dashboard: Dashboard, onReload: () => Promise<Dashboard | undefined>) {
  const t = useT();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<BoardEdit>();
  const [conflict, setConflict] = useState<Conflict>();
  const { mutateAsync, mutation } = useCustomMutation<{ id: number }>();
  useEntriesGuard(() => draft !== undefined && JSON.stringify(draft.widgets) !== JSON.stringify(draft.base));

  const end = (): void => {
    setDraft(undefined);
    setConflict(undefined);
  };
  const send = async (widgets: readonly Widget[], version: number): Promise<void> => {
    const [url, values] = [`/dashboards/${dashboard.id}/layout`, { version, widgets: arranged(widgets) }];
    try {
      await mutateAsync({ url, method: 'put', values, errorNotification: false });
      await onReload();
      end();
      toasts.success(t('dashboards.saved'));
    } catch (error) {
      const isConflict = error instanceof ApiError && error.items.some(({ code }) => code === 'DASHBOARD_CHANGED');
      const theirs = isConflict ? await onReload() : undefined;
      if (theirs) setConflict({ theirs, base: draft?.base ?? widgets });
      else toasts.error(failureMessage(error, { fallback: t('dashboards.not_saved') }));
    }
  };
  const copy = async (): Promise<void> => {
    if (!draft) return;
    const { kind, share } = dashboard;
    const name = t('dashboards.conflict.copy_name', { name: dashboard.name }).slice(0, NAME_LENGTH);
    const text = JSON.stringify({ format: EXPORT_FORMAT, kind, name, widgets: arranged(draft.widgets) });
    try {
      const { data } = await mutateAsync({ url: '/dashboards/import', method: 'post', values: { text, share }, errorNotification: false });
      // Nothing is unsaved any more when the copy is opened.
      flushSync(end);
      toasts.success(t('dashboards.conflict.copied'));
      if (kind === 'fleet') void navigate(`/management/dashboards/${data.id}`);
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('dashboards.not_saved') }));
    }
  };
  return {
    widgets: draft?.widgets,
    conflict,
    isBusy: mutation.isPending,
    begin: () => setDraft({ widgets: widgetsOf(dashboard), base: widgetsOf(dashboard), version: dashboard.version }),
    change: (make: (widgets: readonly Widget[]) => readonly Widget[]) =>
      setDraft((former) => former && { ...former, widgets: make(former.widgets) }),
    cancel: end,
    save: () => draft && send(draft.widgets, conflict?.theirs.version ?? draft.version),
    merge: () => draft && conflict && send(mergeWidgets(conflict.base, draft.widgets, widgetsOf(conflict.theirs)), conflict.theirs.version),
    copy,
  };
}
