import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { ConfigSection } from '../../../schemas/kit/devices/configuration.ts';
import { useEntriesGuard } from '../../engine/form/use-unsaved-guard.ts';
import { useT, useText } from '../../kernel/i18n/index.ts';
import { Banner, Button, Card, IconButton } from '../../ui/index.ts';
import { Preview, useChanges } from './ApplyChanges.tsx';
import styles from './configurator.module.css';
import { isOrderMixed, itemsOf, orderCalls, titleOf, type ConfiguredDevice } from './values.ts';

interface OrderProps {
  section: ConfigSection;
  devices: ConfiguredDevice[];
  onStarted: (channel: string | undefined) => void;
}

/** The order of all sections of a kind: moved by buttons, by Alt and the arrow keys, or by dragging. */
export function OrderEditor({ section, devices, onStarted }: OrderProps) {
  const t = useT();
  const text = useText();
  const [begun] = useState(() => itemsOf(devices, section));
  const [order, setOrder] = useState(begun);
  const [applied, setApplied] = useState(begun);
  useEntriesGuard(() => order.join() !== applied.join() && order.join() !== begun.join());
  const [dragged, setDragged] = useState<string>();
  const [said, setSaid] = useState('');
  const { preview, tryPreview, apply, dropPreview } = useChanges((channel) => {
    setApplied(order);
    onStarted(channel);
  });
  const list = useRef<HTMLOListElement>(null);
  const toFocus = useRef<{ item: string; step: number }>(undefined);
  useEffect(() => {
    const { item, step } = toFocus.current ?? {};
    toFocus.current = undefined;
    const row = item === undefined ? undefined : list.current?.children[order.indexOf(item)];
    const buttons = row?.querySelectorAll<HTMLButtonElement>('button') ?? [];
    // At either end the button that was pressed is off.
    [...buttons].toSorted((one, other) => Number(other.dataset['step'] === String(step)) - Number(one.dataset['step'] === String(step)))
      .find((button) => !button.disabled)?.focus(); // prettier-ignore
  }, [order]);
  const moveTo = (item: string, to: number): void => {
    if (to < 0 || to >= order.length || order[to] === item) return;
    const others = order.filter((one) => one !== item);
    setOrder(others.toSpliced(to, 0, item));
    dropPreview();
    setSaid(t('configurator.order.moved', { name: item, place: to + 1, count: order.length }));
  };
  const move = (item: string, step: number): void => {
    toFocus.current = { item, step };
    moveTo(item, order.indexOf(item) + step);
  };
  const moveByKey = (event: KeyboardEvent, item: string): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    move(item, step);
  };
  const title = `${text(section.title)}: ${t('configurator.order')}`;
  return (
    <div className={styles.page}>
      <Card title={title}>
        <p className={styles.muted}>{t('configurator.order.lead')}</p>
        {isOrderMixed(devices, section) ? <Banner kind="info">{t('configurator.order.mixed')}</Banner> : null}
        <ol ref={list} className={styles.order}>
          {order.map((item, index) => (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Dragging is one way more: the buttons in it do the same.
            <li
              key={item}
              draggable
              data-dragged={dragged === item || undefined}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move';
                setDragged(item);
              }}
              onDragEnter={() => (dragged === undefined ? undefined : moveTo(dragged, index))}
              onDragOver={(event) => event.preventDefault()}
              onDragEnd={() => setDragged(undefined)}
            >
              <span className={styles.place}>{index + 1}</span>
              <span className={styles.itemName}>
                {item} <span className={styles.muted}>{titleOf(devices, section, item)}</span>
              </span>
              {([-1, 1] as const).map((step) => (
                <IconButton
                  key={step}
                  icon={step === -1 ? 'chevron-up' : 'chevron-down'}
                  size="small"
                  data-step={step}
                  label={t(step === -1 ? 'configurator.order.up' : 'configurator.order.down', { name: item })}
                  disabled={step === -1 ? index === 0 : index === order.length - 1}
                  onClick={() => move(item, step)}
                  onKeyDown={(event) => moveByKey(event, item)}
                />
              ))}
            </li>
          ))}
        </ol>
        <p role="status" className="visually-hidden">
          {said}
        </p>
        <div className={styles.buttons}>
          <Button variant="primary" onClick={() => void tryPreview(orderCalls(devices, section, order))}>
            {t('configurator.preview')}
          </Button>
        </div>
      </Card>
      {preview ? (
        <Preview
          {...preview}
          title={title}
          nameOf={(option) => option}
          onApply={(pace) => void apply(pace)}
          onAdded={() => setApplied(order)}
        />
      ) : null}
    </div>
  );
}
