import { useEffect, useState } from 'react';
import { failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useSetting } from '../../kernel/settings/index.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { Button, Menu, ToolText } from '../../ui/index.ts';
import { getDialogs, mainWindow } from '../dialogs/index.ts';
import type { Resource } from '../resources/resource.ts';

export type RefreshMode = 'live' | 'off' | number;

// docs/behaviour.md section 9: refresh interval choices, in seconds.
const INTERVAL_SECONDS: readonly number[] = [10, 30, 60, 300, 900, 1800, 3600, 7200, 86_400];

/** How a list stays up to date: by the live channel, by loading again every so often, or by hand; kept per user. */
export function useRefreshMode(resource: Resource): [RefreshMode, (mode: RefreshMode) => void] {
  const [stored, store] = useSetting(`refresh.${resource.name}`);
  const fallback: RefreshMode = resource.live ? 'live' : (resource.refreshSeconds ?? 'off');
  const isKnown =
    stored === 'off' || (stored === 'live' && resource.live) || (typeof stored === 'number' && INTERVAL_SECONDS.includes(stored));
  return [isKnown ? stored : fallback, (mode) => void store(mode).catch((error: unknown) => toasts.error(failureMessage(error)))];
}

/** Loads again every `mode` seconds, but not while nobody looks or a dialog is open (docs/checks.md T14). */
export function useAutoRefresh(mode: RefreshMode, reload: () => void): void {
  useEffect(() => {
    if (typeof mode !== 'number') return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && mainWindow(getDialogs().stack) === undefined) reload();
    }, mode * SECOND);
    return () => clearInterval(timer);
  }, [mode, reload]);
}

export interface RefreshControlProps {
  resource: Resource;
  mode: RefreshMode;
  onChange: (mode: RefreshMode) => void;
}

/** The choice between live, every so often, and by hand. */
export function RefreshControl({ resource, mode, onChange }: RefreshControlProps) {
  const t = useT();
  const modes: RefreshMode[] = [...(resource.live ? (['live'] as const) : []), 'off', ...INTERVAL_SECONDS];
  const text = (value: RefreshMode) =>
    value === 'live' ? t('table.live') : value === 'off' ? t('table.manual') : t('table.every', { time: formatDuration(value * SECOND) });
  return (
    <Menu
      label={t('table.refreshMode')}
      entries={() =>
        modes.map((value) => ({
          id: String(value),
          label: text(value),
          isChecked: value === mode,
          hasDivider: value === INTERVAL_SECONDS[0],
          onSelect: () => onChange(value),
        }))
      }
    >
      <Button icon={mode === 'live' ? 'activity' : 'clock'} aria-label={t('table.refreshModeIs', { mode: text(mode) })}>
        <ToolText>{text(mode)}</ToolText>
      </Button>
    </Menu>
  );
}

/** The age of what is on screen, in seconds that count. */
export function Updated({ at }: { at: number }) {
  const t = useT();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, []);
  return <>{t('table.updated', { time: formatDuration(Math.max(0, now - at)) })}</>;
}
