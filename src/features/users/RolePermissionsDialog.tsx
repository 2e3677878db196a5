import { useQuery } from '@tanstack/react-query';
import type { Permission } from '../../../schemas/_generated/contract.ts';
import { DialogWindow } from '../../engine/dialogs/index.ts';
import { api } from '../../kernel/http/index.ts';
import { hasText, useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import type { RolePermissionsDialogComponent } from './cells.tsx';
import styles from './users.module.css';

/** What a role's holders may do, by category. */
const RolePermissionsDialog: RolePermissionsDialogComponent = ({ roleId, title, dialog }) => {
  const t = useT();
  const { data, error, refetch } = useQuery({
    queryKey: ['roles', roleId, 'permissions'],
    queryFn: async () => (await api.get<Permission[]>(`/roles/${roleId}/permissions`)).data,
  });
  // Categories are words in the contract ("Device actions"); their texts have the word's slug.
  const categoryText = (category: string): string => {
    const key = `permission_categories.${category.toLowerCase().replaceAll(' ', '_')}`;
    return hasText(key) ? t(key) : category;
  };
  const categories = Map.groupBy(data ?? [], (permission) => permission.category);
  return (
    <DialogWindow
      dialog={dialog}
      title={t('roles.permissionsOf', { role: title })}
      footer={<Button onClick={() => dialog.close()}>{t('common.close')}</Button>}
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('roles.permissions')} /> : null}
      {!data && !error ? <Skeleton height={180} /> : null}
      {data?.length === 0 ? <p>{t('roles.noPermissions')}</p> : null}
      {[...categories].map(([category, permissions]) => (
        <section key={category} className={styles.category}>
          <h3>{categoryText(category)}</h3>
          <ul>
            {permissions.map((permission) => (
              <li key={permission.name}>
                {hasText(`permissions.${permission.name}`) ? t(`permissions.${permission.name}`) : permission.title}{' '}
                <code>{permission.name}</code>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </DialogWindow>
  );
};
export default RolePermissionsDialog;
