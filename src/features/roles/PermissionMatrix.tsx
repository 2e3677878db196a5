import { useId, useState } from 'react';
import type { Permission } from '../../../schemas/_generated/contract.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Checkbox, Icon, SearchInput, Switch } from '../../ui/index.ts';
import { categoryTitle, permissionDescription, permissionTitle } from './role-words.ts';
import styles from './roles.module.css';
import { includesText } from '../../../schemas/kit/text/text-order.ts';

interface MatrixProps {
  permissions: readonly Permission[];
  /** Names. */
  held: ReadonlySet<string>;
  /** Without it the matrix is only shown. */
  edit?: {
    /** Why a permission cannot be ticked; undefined when it can. */
    reasonAgainst(name: string): string | undefined;
    onToggle(names: readonly string[], isOn: boolean): void;
  };
}

/** Permissions by category: what a role gives, or what it is to give. */
export function PermissionMatrix({ permissions, held, edit }: MatrixProps) {
  const t = useT();
  const [search, setSearch] = useState('');
  const [isOnlyHeld, setOnlyHeld] = useState(false);
  const wanted = search.trim();
  const offered = isOnlyHeld ? permissions.filter(({ name }) => held.has(name)) : permissions;
  const found = offered.filter((permission) =>
    [permission.name, permissionTitle(permission), permissionDescription(permission), categoryTitle(permission.category)].some((text) =>
      includesText(text, wanted),
    ),
  );
  return (
    <div className={styles.matrix}>
      <SearchInput label={t('roles.searchPermissions')} value={search} onChange={setSearch} />
      {edit ? null : <Switch isOn={isOnlyHeld} label={t('roles.onlyHeld')} onChange={setOnlyHeld} />}
      {found.length === 0 ? <p className={styles.muted}>{t('roles.noneFound')}</p> : null}
      {[...Map.groupBy(found, (permission) => permission.category)].map(([category, members]) => (
        <Category
          key={category}
          title={categoryTitle(category)}
          permissions={members}
          total={isOnlyHeld ? permissions.filter((permission) => permission.category === category).length : members.length}
          held={held}
          edit={edit}
        />
      ))}
    </div>
  );
}

function Category({ title, permissions, total, held, edit }: MatrixProps & { title: string; total: number; edit: MatrixProps['edit'] }) {
  const t = useT();
  const id = useId();
  const free = permissions.filter(({ name }) => !edit?.reasonAgainst(name));
  const ticked = free.filter(({ name }) => held.has(name));
  const count = permissions.filter(({ name }) => held.has(name)).length;
  return (
    <section role="group" aria-labelledby={id} className={styles.category}>
      <div className={styles.categoryHead}>
        {edit ? (
          <Checkbox
            aria-label={t('roles.wholeCategory', { category: title })}
            checked={free.length > 0 && ticked.length === free.length}
            isIndeterminate={ticked.length > 0 && ticked.length < free.length}
            disabled={free.length === 0}
            onChange={(event) =>
              edit.onToggle(
                free.map(({ name }) => name),
                event.target.checked,
              )
            }
          />
        ) : null}
        <h3 id={id}>{title}</h3>
        <span className={styles.muted}>{t('roles.countOf', { count, total })}</span>
      </div>
      <ul className={styles.permissions}>
        {permissions.map((permission) => (
          <li key={permission.name}>
            {edit ? (
              <Tick
                permission={permission}
                isOn={held.has(permission.name)}
                reason={edit.reasonAgainst(permission.name)}
                onToggle={(isOn) => edit.onToggle([permission.name], isOn)}
              />
            ) : (
              <Shown permission={permission} isOn={held.has(permission.name)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TickProps {
  permission: Permission;
  isOn: boolean;
  reason: string | undefined;
  onToggle(isOn: boolean): void;
}

function Tick({ permission, isOn, reason, onToggle }: TickProps) {
  const id = useId();
  return (
    <>
      <Checkbox checked={isOn} disabled={reason !== undefined} aria-describedby={id} onChange={(event) => onToggle(event.target.checked)}>
        {permissionTitle(permission)}
      </Checkbox>
      <p id={id} className={styles.about}>
        {reason === undefined ? (
          permissionDescription(permission)
        ) : (
          <>
            <Icon name="lock" size={12} /> {reason}
          </>
        )}
      </p>
    </>
  );
}

function Shown({ permission, isOn }: { permission: Permission; isOn: boolean }) {
  const t = useT();
  return (
    <div className={isOn ? styles.on : styles.off}>
      <span className={styles.mark}>
        <Icon name={isOn ? 'check' : 'minus'} size={14} />
        <span className="visually-hidden">{t(isOn ? 'roles.permitted' : 'roles.notPermitted')}</span>
      </span>
      <span>
        {permissionTitle(permission)}
        <span className={styles.about}>{permissionDescription(permission)}</span>
      </span>
    </div>
  );
}
