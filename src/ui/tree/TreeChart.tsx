import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '../cx.ts';
import { Icon, type IconName } from '../Icon.tsx';
import { IconButton } from '../IconButton.tsx';
import { layOutTree, type TreeItem } from './lay-out-tree.ts';
import styles from './tree.module.css';

export type TreeTone = 'plain' | 'good' | 'bad' | 'warn' | 'idle';

export interface TreeChartItem extends TreeItem {
  label: string;
  /** A second line. */
  detail?: string;
  icon: IconName;
  tone: TreeTone;
  /** What a screen reader says beside the label and the detail: the meaning of the tone. */
  state?: string;
  /** It is not there any more. */
  isGone?: boolean;
}

interface TreeChartProps {
  items: readonly TreeChartItem[];
  label: string;
  labels: { zoomIn: string; zoomOut: string };
  chosen: string | undefined;
  onChoose(id: string): void;
  /** Enter on an item, or a double click. */
  onOpen?(id: string): void;
}

const WIDTH = 176;
const COLUMN = 216;
const ROW = 50;
const HEIGHT = 40;
const PAD = 12;
const ZOOMS = [0.4, 0.55, 0.75, 1, 1.3] as const;
const USUAL_ZOOM = 3;

/** Things that hang below each other, from left to right: moved through with the arrow keys, as a tree. */
export function TreeChart({ items, label, labels, chosen, onChoose, onOpen }: TreeChartProps) {
  const { placed, columns, rows } = useMemo(() => layOutTree(items), [items]);
  const [zoomIndex, setZoomIndex] = useState(USUAL_ZOOM);
  const zoom = ZOOMS[zoomIndex] ?? 1;
  const nodes = useRef(new Map<string, HTMLElement>());
  const spots = useMemo(() => new Map(placed.map((one) => [one.item.id, one])), [placed]);
  const active = chosen !== undefined && spots.has(chosen) ? chosen : placed[0]?.item.id;
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const node = chosen === undefined ? undefined : nodes.current.get(chosen);
    const box = frame.current;
    if (!node || !box) return;
    // By hand: scrollIntoView would move the page too.
    const [top, left] = [node.offsetTop * zoom, node.offsetLeft * zoom];
    if (top < box.scrollTop || top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
    if (left < box.scrollLeft || left + WIDTH > box.scrollLeft + box.clientWidth) box.scrollLeft = left - box.clientWidth / 2;
  }, [chosen, zoom]);

  const goTo = (id: string | undefined | null): void => {
    if (id === undefined || id === null) return;
    onChoose(id);
    nodes.current.get(id)?.focus({ preventScroll: true });
  };
  const handleKey = (event: KeyboardEvent, id: string): void => {
    const index = placed.findIndex(({ item }) => item.id === id);
    const targets: Record<string, string | null | undefined> = {
      ArrowDown: placed[index + 1]?.item.id,
      ArrowUp: placed[index - 1]?.item.id,
      ArrowRight: placed.find(({ item }) => item.parent === id)?.item.id,
      ArrowLeft: placed[index]?.item.parent,
      Home: placed[0]?.item.id,
      End: placed.at(-1)?.item.id,
    };
    if (event.key === 'Enter' && onOpen) {
      event.preventDefault();
      onOpen(id);
    } else if (event.key in targets) {
      event.preventDefault();
      goTo(targets[event.key]);
    }
  };
  const size = { width: columns * COLUMN - (COLUMN - WIDTH) + 2 * PAD, height: Math.max(rows, 1) * ROW + 2 * PAD };
  return (
    <div className={styles.chart}>
      <div className={styles.zoom}>
        <IconButton
          size="small"
          hasBorder
          icon="zoom-out"
          label={labels.zoomOut}
          disabled={zoomIndex === 0}
          onClick={() => setZoomIndex((index) => index - 1)}
        />
        <IconButton
          size="small"
          hasBorder
          icon="zoom-in"
          label={labels.zoomIn}
          disabled={zoomIndex === ZOOMS.length - 1}
          onClick={() => setZoomIndex((index) => index + 1)}
        />
      </div>
      <div className={styles.frame} ref={frame}>
        <div style={{ width: size.width * zoom, height: size.height * zoom }}>
          <div className={styles.sheet} style={{ ...size, transform: `scale(${zoom})` }} role="tree" aria-label={label}>
            <svg className={styles.lines} {...size} aria-hidden="true" focusable="false">
              {placed.map(({ item, column, row }) => {
                const above = item.parent === null ? undefined : spots.get(item.parent);
                if (!above) return null;
                const [fromX, fromY] = [above.column * COLUMN + WIDTH + PAD, above.row * ROW + HEIGHT / 2 + PAD];
                const [toX, toY] = [column * COLUMN + PAD, row * ROW + HEIGHT / 2 + PAD];
                const bend = fromX + (COLUMN - WIDTH) / 2;
                return (
                  <path
                    key={item.id}
                    className={cx(styles.line, item.isGone && styles.gone)}
                    d={`M${fromX} ${fromY}H${bend}V${toY}H${toX}`}
                  />
                );
              })}
            </svg>
            {placed.map(({ item, level, column, row }) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The arrow keys choose as they move.
              <div
                key={item.id}
                ref={(node) => {
                  if (node) nodes.current.set(item.id, node);
                  else nodes.current.delete(item.id);
                }}
                role="treeitem"
                aria-level={level + 1}
                aria-selected={item.id === chosen}
                tabIndex={item.id === active ? 0 : -1}
                className={cx(styles.item, styles[item.tone], item.isGone && styles.gone)}
                style={{ left: column * COLUMN + PAD, top: row * ROW + PAD, width: WIDTH, height: HEIGHT }}
                title={item.label}
                onClick={() => goTo(item.id)}
                onDoubleClick={() => onOpen?.(item.id)}
                onKeyDown={(event) => handleKey(event, item.id)}
              >
                <Icon name={item.icon} size={15} className={styles.icon} />
                <span className={styles.words}>
                  <span className={styles.label}>{item.label}</span>
                  {item.detail ? <span className={styles.detail}>{item.detail}</span> : null}
                  {item.state ? <span className="visually-hidden"> {item.state}</span> : null}
                </span>
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
