import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode, Component } from 'react';
import { COLUMNS } from '../../../../schemas/kit/resources/dashboards.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { IconButton, type IconName } from '../../../ui/index.ts';
import { ROW_PX, stepOf, type Step } from './grid.ts';
import { WidgetBody } from './WidgetBody.tsx';
import { useWidgetTitle } from './source-names.ts';
import type { WidgetSettingsProps } from './dashboard-data.ts';
import { WidgetSettings } from './WidgetSettings.tsx';
import styles from './dashboards.module.css';

interface HandleProps {
  icon: IconName;
  label: string;
  onStep(step: Step): void;
}

/** Moves or sizes a widget: dragged by a pointer, or by arrow keys. */
function Handle({ icon, label, onStep }: HandleProps) {
  const from = useRef<{ x: number; y: number; column: number }>(undefined);
  const start = (event: PointerEvent<HTMLButtonElement>): void => {
    const grid = event.currentTarget.closest(`.${styles.grid}`);
    if (!grid) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, y: event.clientY, column: grid.clientWidth / COLUMNS };
  };
  const drag = (event: PointerEvent<HTMLButtonElement>): void => {
    const begun = from.current;
    if (!begun) return;
    const step = { columns: Math.round((event.clientX - begun.x) / begun.column), rows: Math.round((event.clientY - begun.y) / ROW_PX) };
    if (step.columns === 0 && step.rows === 0) return;
    from.current = { ...begun, x: begun.x + step.columns * begun.column, y: begun.y + step.rows * ROW_PX };
    onStep(step);
  };
  const press = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const step = stepOf(event.key);
    if (!step) return;
    event.preventDefault();
    onStep(step);
  };
  return (
    <IconButton
      icon={icon}
      size="small"
      label={label}
      className={styles.handle}
      onKeyDown={press}
      onPointerDown={start}
      onPointerMove={drag}
      onPointerUp={() => (from.current = undefined)}
      onPointerCancel={() => (from.current = undefined)}
    />
  );
}

export interface WidgetCardProps extends WidgetSettingsProps {
  isEditing: boolean;
  /** It was added just now: it is brought into sight, often from below the page. */
  isAdded: boolean;
  onMove(step: Step): void;
  onSize(step: Step): void;
  onRemove(): void;
}

/** A widget in its place; while the dashboard is edited with what moves, sizes, changes and removes it. */
export function WidgetCard({ widget, around, isEditing, isAdded, onMove, onSize, onRemove, onChange }: WidgetCardProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isAdded) return;
    card.current?.scrollIntoView({ block: 'center' });
    card.current?.querySelector<HTMLElement>('[aria-pressed]')?.focus({ preventScroll: true });
  }, [isAdded]);
  const name = useWidgetTitle(widget);
  const { x, y, w, h } = widget;
  return (
    <section
      ref={card}
      aria-label={name}
      className={styles.widget}
      style={{ gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }}
    >
      <div className={styles.head}>
        <h2>{name}</h2>
        {isEditing ? (
          <div className={styles.handles}>
            <Handle icon="grip-vertical" label={t('dashboards.move', { name })} onStep={onMove} />
            <Handle icon="maximize-2" label={t('dashboards.size', { name })} onStep={onSize} />
            <IconButton
              icon="settings"
              size="small"
              isPressed={isOpen}
              label={t('dashboards.change', { name })}
              onClick={() => setOpen(!isOpen)}
            />
            <IconButton icon="trash-2" size="small" label={t('dashboards.remove', { name })} onClick={onRemove} />
          </div>
        ) : null}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls must be reachable without a mouse. */}
      <div className={styles.body} role="group" aria-label={name} tabIndex={0}>
        {isEditing && isOpen ? (
          <WidgetSettings widget={widget} around={around} onChange={onChange} />
        ) : (
          <WidgetBoundary
            key={JSON.stringify([widget.type, widget.source])}
            fallback={<p className={styles.muted}>{t('dashboards.failed')}</p>}
          >
            <WidgetBody widget={widget} around={around} />
          </WidgetBoundary>
        )}
      </div>
    </section>
  );
}

interface Props {
  /** What is shown in place of a widget that breaks. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps the other widgets alive when one breaks. */
export class WidgetBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
