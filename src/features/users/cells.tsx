import type { CellProps } from '../../engine/resources/registry.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { roleTitle } from '../../kernel/session/role-title.ts';
import { Avatar, StatusMark } from '../../ui/index.ts';
import styles from './users.module.css';

// docs/behaviour.md section 9: role names are cut at 45 characters on screen.
const MAX_ROLE_TITLE = 45;

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The person's name over the user name; a disabled account says so. */
export function UserNameCell({ row, value, link }: CellProps) {
  const t = useT();
  const name = [text(row['first_name']), text(row['last_name'])].filter(Boolean).join(' ');
  return (
    <span className={styles.user}>
      <Avatar seed={row.id} size={22} />
      {link(<span className={styles.name}>{name || text(value)}</span>)}
      {row['is_disabled'] === true ? <StatusMark kind="idle">{t('users.disabled')}</StatusMark> : null}
    </span>
  );
}

/** Built-in roles are translated by their name, custom ones keep their own title. */
export function RoleCell({ row, value, link }: CellProps) {
  useT();
  const title = roleTitle({ name: text(row['role_name']) || text(row['role']) || text(row['name']), title: text(value) });
  return link(<span title={title}>{title.length > MAX_ROLE_TITLE ? `${title.slice(0, MAX_ROLE_TITLE)}…` : title}</span>);
}
