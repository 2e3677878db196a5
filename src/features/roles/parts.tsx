import { lazy, Suspense } from 'react';
import type { FormWidgetProps } from '../../engine/form/index.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import { useT, withTexts } from '../../kernel/i18n/index.ts';
import { Skeleton } from '../../ui/index.ts';

const PermissionMatrixField = lazy(withTexts(['permissions', 'roles'], () => import('./PermissionMatrixField.tsx')));

/** The permissions that a role is to give, by number; its code comes with the first form that has it. */
export function PermissionMatrixWidget({ value, control, onChange }: FormWidgetProps) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <PermissionMatrixField value={value} control={control} onChange={onChange} />
    </Suspense>
  );
}

/** The company whose own role it is; a built-in role says so. */
export function RoleCompanyCell({ value }: CellProps) {
  const t = useT();
  return typeof value === 'string' ? value : t('roles.builtIn');
}
