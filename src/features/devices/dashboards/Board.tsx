import { useCustomMutation } from '@refinedev/core';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Dashboard } from '../../../../schemas/_generated/contract.ts';
import {
  arranged,
  COLUMNS,
  EXPORT_FORMAT,
  MOST_WIDGETS,
  SOURCES,
  WIDGET_TYPES,
  type Widget,
} from '../../../../schemas/kit/resources/dashboards.ts';
import { failureMessage } from '../../../kernel/http/index.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { useCan, useUser } from '../../../kernel/session/index.ts';
import { toasts } from '../../../kernel/toasts/index.ts';
import { Button, EmptyState, saveText } from '../../../ui/index.ts';
import type { DashboardContext } from './dashboard-data.ts';
import { moved, sized } from './grid.ts';
import { Variables } from './Variables.tsx';
import { readVariables } from './variables.ts';
import { WallRotation } from './WallRotation.tsx';
import { WidgetCard } from './WidgetCard.tsx';
import styles from './dashboards.module.css';

interface BoardProps {
  dashboard: Dashboard;
  deviceId?: number;
  /** Read it again, after a change or because somebody else changed it. */
  onReload(): unknown;
}

const newId = (widgets: readonly Widget[]): string => {
  let number = widgets.length + 1;
  while (widgets.some(({ id }) => id === `w${number}`)) number += 1;
  return `w${number}`;
};

/** A dashboard: its variables, its widgets, and the way to change them. */
export function Board({ dashboard, deviceId, onReload }: BoardProps) {
  const t = useT();
  const can = useCan();
  const user = useUser();
  const [search, setSearch] = useSearchParams();
  const { isWall } = readVariables(search);
  const [openedAt] = useState(() => Date.now());
  const [draft, setDraft] = useState<readonly Widget[]>();
  const { mutateAsync, mutation } = useCustomMutation();
  const saved = useMemo(() => JSON.parse(dashboard.widgets) as Widget[], [dashboard.widgets]);
  const widgets = draft ?? saved;
  const text = search.toString();
  const around = useMemo((): DashboardContext => {
    const { companyId, tagId, days, refresh } = readVariables(new URLSearchParams(text));
    const filters = {
      ...(companyId === undefined ? {} : { company_id: String(companyId) }),
      ...(tagId === undefined ? {} : { tag_id: String(tagId) }),
    };
    return {
      kind: dashboard.kind,
      deviceId,
      companyId: companyId ?? user.company_id,
      tagId,
      filters,
      days,
      openedAt,
      refreshMs: refresh === 0 ? false : refresh * 1000,
    };
  }, [text, dashboard.kind, deviceId, user.company_id, openedAt]);
  const add = (): void => {
    const type = WIDGET_TYPES.find((name) => SOURCES[dashboard.kind][name]) ?? 'text';
    const [source] = SOURCES[dashboard.kind][type] ?? [];
    const y = Math.max(0, ...widgets.map((widget) => widget.y + widget.h));
    setDraft(
      arranged([...widgets, { id: newId(widgets), type, x: 0, y, w: COLUMNS / 3, h: 3, ...(source === undefined ? {} : { source }) }]),
    );
  };
  const save = async (): Promise<void> => {
    try {
      await mutateAsync({
        url: `/dashboards/${dashboard.id}/layout`,
        method: 'put',
        values: { version: dashboard.version, widgets: arranged(widgets) },
        errorNotification: false,
      });
      await onReload();
      setDraft(undefined);
      toasts.success(t('dashboards.saved'));
    } catch (error) {
      toasts.error(failureMessage(error, { fallback: t('dashboards.not_saved') }));
    }
  };
  const setWall = (next: boolean): void =>
    setSearch((former) => {
      former.delete('wall');
      if (next) former.set('wall', '1');
      return former;
    });
  const exportIt = (): void => {
    const { kind, name } = dashboard;
    saveText(JSON.stringify({ format: EXPORT_FORMAT, kind, name, widgets: saved }, null, 2), `${name}.json`, 'application/json');
  };
  return (
    <div className={isWall ? styles.wall : styles.page}>
      <div className={styles.tools}>
        <Variables kind={dashboard.kind} />
        {draft ? (
          <>
            <Button icon="plus" disabled={widgets.length >= MOST_WIDGETS} onClick={add}>
              {t('dashboards.add')}
            </Button>
            <Button variant="primary" isBusy={mutation.isPending} onClick={() => void save()}>
              {t('dashboards.save')}
            </Button>
            <Button onClick={() => setDraft(undefined)}>{t('dashboards.cancel')}</Button>
          </>
        ) : (
          <>
            {can('update_device_dashboard') ? (
              <Button icon="pencil" onClick={() => setDraft(saved)}>
                {t('dashboards.edit')}
              </Button>
            ) : null}
            <Button icon="download" onClick={exportIt}>
              {t('dashboards.export')}
            </Button>
            {isWall && dashboard.kind === 'fleet' ? <WallRotation id={dashboard.id} /> : null}
            <Button icon="maximize-2" onClick={() => setWall(!isWall)}>
              {t(isWall ? 'dashboards.wall.leave' : 'dashboards.wall')}
            </Button>
          </>
        )}
      </div>
      {widgets.length === 0 ? <EmptyState icon="layout-dashboard" title={t('dashboards.empty')} text={t('dashboards.empty.text')} /> : null}
      <div className={styles.grid}>
        {widgets.map((widget) => (
          <WidgetCard
            key={widget.id}
            widget={widget}
            around={around}
            isEditing={draft !== undefined}
            onMove={(step) => setDraft((list = []) => moved(list, widget.id, step))}
            onSize={(step) => setDraft((list = []) => sized(list, widget.id, step))}
            onRemove={() => setDraft((list = []) => arranged(list.filter(({ id }) => id !== widget.id)))}
            onChange={(next) => setDraft((list = []) => list.map((one) => (one.id === next.id ? next : one)))}
          />
        ))}
      </div>
    </div>
  );
}
