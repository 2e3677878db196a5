import { lazy, Suspense } from 'react';
import type { FieldKindProps } from '../../engine/form/index.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { roleDescription } from './role-words.ts';

const PermissionMatrixField = lazy(() => import('./PermissionMatrixField.tsx'));

/** The permissions that a role is to give, by number; its code comes with the first form that has it. */
export function PermissionMatrixKind(props: FieldKindProps) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <PermissionMatrixField {...props} />
    </Suspense>
  );
}

export function RoleDescriptionCell({ row, value }: CellProps) {
  return roleDescription(String(row['name']), String(value ?? ''));
}

/** The company whose own role it is; a built-in role says so. */
export function RoleCompanyCell({ value }: CellProps) {
  const t = useT();
  return typeof value === 'string' ? value : t('roles.builtIn');
}
