import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Company } from '../../../schemas/_generated/contract.ts';
import { api } from '../../kernel/http/index.ts';
import { currentLanguage, formatNumber, useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { SearchInput } from '../../ui/SearchInput.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { buildTree, filterTree, visibleLines, type TreeLine } from './tree.ts';
import styles from './companies.module.css';

const PAGE = 100;

/** All companies that the user sees, page by page. */
async function loadCompanies(): Promise<Company[]> {
  const all: Company[] = [];
  for (;;) {
    const { data, meta } = await api.get<Company[]>('/companies', { query: { limit: PAGE, offset: all.length, sort: 'name' } });
    all.push(...data);
    if (data.length < PAGE || all.length >= (meta.total ?? 0)) return all;
  }
}

export default function CompanyTreePage() {
  const t = useT();
  const [search, setSearch] = useState('');
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const { data, error, refetch } = useQuery({ queryKey: ['companies', 'tree'], queryFn: loadCompanies });
  const tree = useMemo(() => buildTree(data ?? [], new Intl.Collator(currentLanguage()).compare), [data]);
  const lines = visibleLines(filterTree(tree, search), (id) => search !== '' || !closed.has(id));
  const setOpen = (id: number, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(id);
    else next.add(id);
    setClosed(next);
  };
  return (
    <>
      <PageHeader
        title={t('companies.tree.title')}
        subtitle={data ? t('companies.tree.count', { count: data.length }) : undefined}
        breadcrumb={<Link to="/companies">{t('resources.companies.title')}</Link>}
        actions={
          <Button to="/companies" icon="list">
            {t('companies.tree.list')}
          </Button>
        }
      />
      <Card>
        <SearchInput label={t('companies.tree.search')} value={search} onChange={setSearch} />
        {error ? (
          <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('resources.companies.title')} />
        ) : null}
        {!data && !error ? <Skeleton height={240} className={styles.skeleton} /> : null}
        {data && lines.length === 0 ? <EmptyState icon="search" title={t('companies.tree.none')} /> : null}
        {lines.length > 0 ? <Tree lines={lines} onOpenChange={setOpen} /> : null}
      </Card>
    </>
  );
}

interface TreeProps {
  lines: TreeLine[];
  onOpenChange(id: number, isOpen: boolean): void;
}

/** The tree pattern of the ARIA guide: one tab stop, arrows move, right opens, left closes or goes up, Enter opens the page. */
function Tree({ lines, onOpenChange }: TreeProps) {
  const t = useT();
  const navigate = useNavigate();
  const [active, setActive] = useState<number>();
  const box = useRef<HTMLUListElement>(null);
  const current = lines.some((line) => line.node.company.id === active) ? active : lines[0]?.node.company.id;

  const focusLine = (index: number) => {
    const line = lines[Math.max(0, Math.min(index, lines.length - 1))];
    if (!line) return;
    setActive(line.node.company.id);
    box.current?.querySelector<HTMLElement>(`[data-company="${line.node.company.id}"]`)?.focus();
  };
  const handleKey = (event: KeyboardEvent) => {
    const at = lines.findIndex((line) => line.node.company.id === current);
    const line = lines[at];
    if (!line) return;
    const { id } = line.node.company;
    const moves: Record<string, () => void> = {
      ArrowDown: () => focusLine(at + 1),
      ArrowUp: () => focusLine(at - 1),
      Home: () => focusLine(0),
      End: () => focusLine(lines.length - 1),
      Enter: () => void navigate(`/companies/${id}`),
      ArrowRight: () => (line.node.children.length > 0 && !line.isOpen ? onOpenChange(id, true) : focusLine(at + 1)),
      ArrowLeft: () => {
        if (line.isOpen) onOpenChange(id, false);
        else focusLine(lines.findLastIndex((other, index) => index < at && other.depth < line.depth));
      },
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <ul ref={box} role="tree" aria-label={t('companies.tree.title')} className={styles.tree} onKeyDown={handleKey}>
      {lines.map(({ node, depth, isOpen }) => (
        <li
          key={node.company.id}
          role="treeitem"
          aria-level={depth}
          aria-expanded={node.children.length > 0 ? isOpen : undefined}
          aria-selected={node.company.id === current}
          tabIndex={node.company.id === current ? 0 : -1}
          data-company={node.company.id}
          className={styles.line}
          style={{ paddingInlineStart: 8 + (depth - 1) * 24 }}
          onFocus={() => setActive(node.company.id)}
        >
          <span
            aria-hidden="true"
            className={styles.toggle}
            onClick={() => node.children.length > 0 && onOpenChange(node.company.id, !isOpen)}
          >
            {node.children.length > 0 ? <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} /> : null}
          </span>
          <Link to={`/companies/${node.company.id}`} tabIndex={-1} className={styles.lineName}>
            {node.company.name}
          </Link>
          <span className={styles.lineCount}>
            {t('companies.tree.devices', { count: node.devicesBelow, devices: formatNumber(node.devicesBelow) })}
          </span>
        </li>
      ))}
    </ul>
  );
}
