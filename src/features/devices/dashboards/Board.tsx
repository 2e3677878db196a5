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
import { useT } from '../../../kernel/i18n/index.ts';
import { useCan, useUser } from '../../../kernel/session/index.ts';
import { Button, EmptyState, saveText } from '../../../ui/index.ts';
import type { DashboardContext } from './dashboard-data.ts';
import { EditConflict } from './EditConflict.tsx';
import { moved, sized } from './grid.ts';
import { useBoardEdit } from './use-board-edit.ts';
import { usePeriodEnd } from './use-period-end.ts';
import { Variables } from './Variables.tsx';
import { readVariables } from './variables.ts';
import { WallRotation } from './WallRotation.tsx';
import { WidgetCard } from './WidgetCard.tsx';
import styles from './dashboards.module.css';

interface BoardProps {
  dashboard: Dashboard;
  deviceId?: number;
  /** Reads it again, after a change or because somebody else changed it. */
  onReload(): Promise<Dashboard | undefined>;
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
  const { isWall, isEmbedded, days, refresh } = readVariables(search);
  const refreshMs = refresh === 0 ? false : refresh * 1000;
  const openedAt = usePeriodEnd(days, refreshMs);
  const [added, setAdded] = useState<string>();
  const edit = useBoardEdit(dashboard, onReload);
  const saved = useMemo(() => JSON.parse(dashboard.widgets) as Widget[], [dashboard.widgets]);
  const widgets = edit.widgets ?? saved;
  const text = search.toString();
  const around = useMemo((): DashboardContext => {
    const { companyId, tagId, siteId } = readVariables(new URLSearchParams(text));
    const filters = {
      ...(companyId === undefined ? {} : { company_id: String(companyId) }),
      ...(tagId === undefined ? {} : { tag_id: String(tagId) }),
      ...(siteId === undefined ? {} : { site_id: String(siteId) }),
    };
    return {
      kind: dashboard.kind,
      deviceId,
      companyId: companyId ?? user.company_id,
      tagId,
      filters,
      days,
      openedAt,
      refreshMs,
    };
  }, [text, dashboard.kind, deviceId, user.company_id, openedAt, days, refreshMs]);
  const add = (): void => {
    const type = WIDGET_TYPES.find((name) => SOURCES[dashboard.kind][name]) ?? 'text';
    const [source] = SOURCES[dashboard.kind][type] ?? [];
    const y = Math.max(0, ...widgets.map((widget) => widget.y + widget.h));
    const id = newId(widgets);
    setAdded(id);
    edit.change((list) => arranged([...list, { id, type, x: 0, y, w: COLUMNS / 3, h: 3, ...(source === undefined ? {} : { source }) }]));
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
      <div className={styles.tools} hidden={isEmbedded}>
        <Variables kind={dashboard.kind} />
        {edit.widgets ? (
          <>
            <Button icon="plus" disabled={widgets.length >= MOST_WIDGETS} onClick={add}>
              {t('dashboards.add')}
            </Button>
            <Button variant="primary" isBusy={edit.isBusy} onClick={() => void edit.save()}>
              {t('dashboards.save')}
            </Button>
            <Button onClick={edit.cancel}>{t('dashboards.cancel')}</Button>
          </>
        ) : (
          <>
            {can('update_device_dashboard') ? (
              <Button icon="pencil" onClick={edit.begin}>
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
      {edit.conflict && edit.widgets ? (
        <EditConflict
          {...edit.conflict}
          mine={edit.widgets}
          isBusy={edit.isBusy}
          onMerge={() => void edit.merge()}
          onReplace={() => void edit.save()}
          onCopy={() => void edit.copy()}
          onDiscard={edit.cancel}
        />
      ) : null}
      {widgets.length === 0 ? <EmptyState icon="layout-dashboard" title={t('dashboards.empty')} text={t('dashboards.empty.text')} /> : null}
      <div className={styles.grid}>
        {widgets.map((widget) => (
          <WidgetCard
            key={widget.id}
            widget={widget}
            around={around}
            isEditing={edit.widgets !== undefined}
            isAdded={widget.id === added}
            onMove={(step) => edit.change((list) => moved(list, widget.id, step))}
            onSize={(step) => edit.change((list) => sized(list, widget.id, step))}
            onRemove={() => edit.change((list) => arranged(list.filter(({ id }) => id !== widget.id)))}
            onChange={(next) => edit.change((list) => list.map((one) => (one.id === next.id ? next : one)))}
          />
        ))}
      </div>
    </div>
  );
}
