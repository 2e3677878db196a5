import { useRef, useState, type KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { formatNumber, useT, type Translate } from '../../kernel/i18n/index.ts';
import { Button, cx, Icon, Menu, type MenuEntry, PressArea } from '../../ui/index.ts';
import type { TreeLine } from './tree.ts';
import styles from './tree.module.css';

type CompanyLine = Extract<TreeLine, { kind: 'company' }>;

export interface CompanyTreeProps {
  lines: readonly TreeLine[];
  /** The company that is on its way to another place. */
  moving: CompanyNode | undefined;
  canMove(node: CompanyNode): boolean;
  canPutBelow(node: CompanyNode): boolean;
  menuOf(node: CompanyNode): MenuEntry[];
  onOpenChange(id: number, isOpen: boolean): void;
  onMore(parentId: number): void;
  /** Takes a company up, or puts none down. */
  onMoving(node: CompanyNode | undefined): void;
  onPut(target: CompanyNode): void;
}

/**
 * The tree pattern of the ARIA guide: one tab stop, arrows move, right opens, left closes or goes up, Enter opens the page, Shift+F10 the menu.
 * Ctrl+X takes a company up; then Enter or Ctrl+V puts it below the one in focus, and Escape leaves it where it is. The mouse drags.
 */
export function CompanyTree(props: CompanyTreeProps) {
  const { lines, moving, onOpenChange, onMore, onMoving, onPut } = props;
  const t = useT();
  const navigate = useNavigate();
  const [active, setActive] = useState<string>();
  const box = useRef<HTMLUListElement>(null);
  const current = lines.some((line) => line.key === active) ? active : lines[0]?.key;
  const elementOf = (key: string) => box.current?.querySelector<HTMLElement>(`[data-line="${key}"]`);
  const focusLine = (index: number) => {
    const line = lines[Math.max(0, Math.min(index, lines.length - 1))];
    if (!line) return;
    setActive(line.key);
    elementOf(line.key)?.focus();
  };

  const pressOnCompany = (event: KeyboardEvent, line: CompanyLine, at: number): (() => void) | undefined => {
    const { node } = line;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === 'x') return () => (props.canMove(node) ? onMoving(node) : undefined);
    if ((isCommand && event.key === 'v') || (moving && event.key === 'Enter'))
      return () => (moving && props.canPutBelow(node) ? onPut(node) : undefined);
    if (event.key === 'Enter') return () => void navigate(`/companies/${node.id}`);
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))
      return () => elementOf(line.key)?.querySelector<HTMLElement>('[data-menu]')?.click();
    if (event.key === 'ArrowRight')
      return () => (node.children_count > 0 && !line.isOpen ? onOpenChange(node.id, true) : focusLine(at + 1));
    if (event.key === 'ArrowLeft' && line.isOpen) return () => onOpenChange(node.id, false);
    return undefined;
  };
  const handleKey = (event: KeyboardEvent) => {
    const at = lines.findIndex((line) => line.key === current);
    const line = lines[at];
    // A menu of a line is below it in the document too.
    if (!line || !(event.target instanceof HTMLElement) || event.target.dataset['line'] !== line.key) return;
    const moves: Record<string, (() => void) | undefined> = {
      ArrowDown: () => focusLine(at + 1),
      ArrowUp: () => focusLine(at - 1),
      Home: () => focusLine(0),
      End: () => focusLine(lines.length - 1),
      Escape: moving ? () => onMoving(undefined) : undefined,
      ArrowLeft: () => focusLine(lines.findLastIndex((other, index) => index < at && other.depth < line.depth)),
      Enter: line.kind === 'more' ? () => onMore(line.parentId) : undefined,
    };
    const move = (line.kind === 'company' ? pressOnCompany(event, line, at) : undefined) ?? moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <ul ref={box} role="tree" aria-label={t('companies.tree.title')} className={styles.tree} onKeyDown={handleKey}>
      {lines.map((line) => {
        const common = {
          'aria-level': line.depth,
          tabIndex: line.key === current ? 0 : -1,
          'data-line': line.key,
          style: { paddingInlineStart: 8 + (line.depth - 1) * 24 },
          onFocus: () => setActive(line.key),
        };
        if (line.kind === 'company') return <Row key={line.key} {...props} line={line} isCurrent={line.key === current} common={common} />;
        return (
          <li key={line.key} role="treeitem" {...common} aria-selected={false} className={styles.line}>
            <span className={styles.toggle} />
            {line.kind === 'loading' ? (
              <span className={styles.count}>{t('common.loading')}</span>
            ) : (
              <Button variant="link" tabIndex={-1} onClick={() => onMore(line.parentId)}>
                {t('companies.tree.more', { count: line.left, left: formatNumber(line.left) })}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface RowProps extends CompanyTreeProps {
  line: CompanyLine;
  isCurrent: boolean;
  common: React.HTMLAttributes<HTMLLIElement>;
}

function Row({ line, isCurrent, common, ...props }: RowProps) {
  const { moving, onMoving, onOpenChange, onPut } = props;
  const t = useT();
  const [isOver, setOver] = useState(false);
  const { node, isOpen } = line;
  const isTarget = moving !== undefined && props.canPutBelow(node);
  const entries = props.menuOf(node);
  const menuName = t('table.rowActions', { name: node.name });
  return (
    <li
      role="treeitem"
      {...common}
      aria-label={
        isTarget ? `${node.name}, ${t('companies.tree.putHere')}` : t('companies.tree.line', { name: node.name, ...countWords(t, node) })
      }
      aria-expanded={node.children_count > 0 ? isOpen : undefined}
      aria-selected={isCurrent}
      aria-posinset={line.position}
      aria-setsize={line.size}
      className={cx(
        styles.line,
        moving?.id === node.id && styles.moving,
        moving && !isTarget && styles.closed,
        isOver && isTarget && styles.over,
      )}
      draggable={props.canMove(node)}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', node.name);
        event.dataTransfer.effectAllowed = 'move';
        onMoving(node);
      }}
      onDragEnd={(event) => event.dataTransfer.dropEffect === 'none' && onMoving(undefined)}
      onDragOver={(event) => {
        if (!isTarget) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (isTarget) onPut(node);
      }}
    >
      <span aria-hidden="true" className={styles.toggle} onClick={() => node.children_count > 0 && onOpenChange(node.id, !isOpen)}>
        {node.children_count > 0 ? <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} /> : null}
      </span>
      <Link to={`/companies/${node.id}`} tabIndex={-1} draggable={false} className={styles.name}>
        {node.is_match ? <span>{node.name}</span> : <span className={styles.count}>{node.name}</span>}
      </Link>{' '}
      {isTarget ? (
        <Button size="small" tabIndex={-1} onClick={() => onPut(node)}>
          {t('companies.tree.putHere')}
        </Button>
      ) : (
        <Counts node={node} />
      )}
      {entries.length > 0 && !moving ? (
        <Menu label={menuName} entries={entries}>
          <PressArea tabIndex={-1} data-menu className={styles.menu} aria-label={menuName}>
            <Icon name="ellipsis" />
          </PressArea>
        </Menu>
      ) : null}
    </li>
  );
}

/** Devices and users of a company and all below it in words; where these are not all its own, its own behind them. */
function countWords(t: Translate, node: CompanyNode): { devices: string; users: string } {
  const own = (all: number, mine: number) => (all === mine ? '' : ` ${t('companies.tree.own', { own: formatNumber(mine) })}`);
  const devices = t('companies.tree.devices', { count: node.devices_below, devices: formatNumber(node.devices_below) });
  const users = t('companies.tree.users', { count: node.users_below, users: formatNumber(node.users_below) });
  return { devices: devices + own(node.devices_below, node.devices_count), users: users + own(node.users_below, node.users_count) };
}

function Counts({ node }: { node: CompanyNode }) {
  const t = useT();
  const { devices, users } = countWords(t, node);
  return (
    <span className={styles.counts}>
      <span className={styles.count}>{devices}</span> <span className={styles.count}>{users}</span>
    </span>
  );
}
