import { useState } from 'react';
import { Link } from 'react-router';
import type { CompanyNode } from '../../../schemas/_generated/contract.ts';
import { actionEntries } from '../../engine/actions/action-entries.ts';
import { actionsAt } from '../../engine/actions/applicability.ts';
import { runAction } from '../../engine/actions/run-action.ts';
import { getResource } from '../../engine/resources/all.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan, useUser } from '../../kernel/session/index.ts';
import { Button, Card, EmptyState, ErrorState, type MenuEntry, PageHeader, SearchInput, Skeleton } from '../../ui/index.ts';
import { openForm } from '../../engine/form/index.ts';
import { CompanyTree } from './CompanyTree.tsx';
import { canPutBelow } from './tree.ts';
import { useCompanyTree } from './use-company-tree.ts';
import styles from './tree.module.css';

/** The companies as a tree that is loaded branch by branch, searched, and rearranged by mouse, keyboard or menu. */
export default function CompanyTreePage() {
  const t = useT();
  const can = useCan();
  const user = useUser();
  const [search, setSearch] = useState('');
  const [moving, setMoving] = useState<CompanyNode>();
  const tree = useCompanyTree(search);
  const { lines, total, error, reload } = tree;
  const resource = getResource('companies');
  const canMove = (node: CompanyNode) => can('move_companies') && node.level > 1 && node.id !== user.company_id;
  // Taking up and putting down is this page's way to move.
  const actions = actionsAt(resource, 'row', can).filter((action) => action.id !== 'companies.move');

  const menuOf = (node: CompanyNode): MenuEntry[] => {
    const row = { ...node };
    const move = { id: 'move', label: t('companies.tree.move'), icon: 'folder-input', onSelect: () => setMoving(node) } as const;
    const others = actionEntries(
      resource,
      row,
      actions,
      (action) => void runAction({ action, resource, target: { kind: 'record', row }, reload }),
    );
    return [...(canMove(node) ? [move] : []), ...others];
  };
  const put = async (target: CompanyNode) => {
    if (!moving) return;
    const isMoved = await openForm('companies/move', { initial: { source: moving.id, target: target.id } });
    setMoving(undefined);
    if (!isMoved) return;
    tree.setOpen(target.id, true);
    reload();
  };
  return (
    <>
      <PageHeader
        title={t('companies.tree.title')}
        breadcrumb={[
          <Link key="above" to="/companies">
            {t('resources.companies.title')}
          </Link>,
        ]}
        actions={
          <Button to="/companies" icon="list">
            {t('companies.tree.list')}
          </Button>
        }
      />
      <Card>
        <SearchInput label={t('companies.tree.search')} value={search} onChange={setSearch} />
        <div className={styles.notice}>
          <div role="status" className={styles.status}>
            {moving ? t('companies.tree.moving', { name: moving.name }) : null}
            {!moving && search !== '' && total !== undefined ? t('companies.tree.found', { count: total }) : null}
          </div>
          {moving ? (
            <Button size="small" onClick={() => setMoving(undefined)}>
              {t('companies.tree.cancel')}
            </Button>
          ) : null}
        </div>
        {error ? <ErrorState error={error} onRetry={reload} action={t('common.load')} item={t('resources.companies.title')} /> : null}
        {tree.isFirstLoad ? <Skeleton height={240} /> : null}
        {!tree.isFirstLoad && !error && lines.length === 0 ? <EmptyState icon="search" title={t('companies.tree.none')} /> : null}
        {lines.length > 0 ? (
          <CompanyTree
            lines={lines}
            moving={moving}
            canMove={canMove}
            canPutBelow={(target) => moving !== undefined && canPutBelow(moving, target, tree.parentOf)}
            menuOf={menuOf}
            onOpenChange={tree.setOpen}
            onMore={tree.loadMore}
            onMoving={setMoving}
            onPut={(target) => void put(target)}
          />
        ) : null}
      </Card>
    </>
  );
}
