import { viewOf, withoutView, withViews } from '../../../schemas/kit/resources/permission-views.ts';
import type { FormWidgetProps } from '../../engine/form/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { ErrorState, Skeleton } from '../../ui/index.ts';
import { PermissionMatrix } from './PermissionMatrix.tsx';
import { usePermissions } from './use-permissions.ts';

/** Ticking any action ticks its view, unticking a view takes its actions away. What the user does not hold cannot be ticked. */
export default function PermissionMatrixField({ value, control, onChange }: Pick<FormWidgetProps, 'value' | 'control' | 'onChange'>) {
  const t = useT();
  const can = useCan();
  const { data: all, error, refetch } = usePermissions();
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} action={t('common.load')} item={t('fields.permissions')} />;
  if (!all) return <Skeleton height={240} />;

  const ids = new Set(Array.isArray(value) ? value : []);
  const held = all.filter((permission) => ids.has(permission.id)).map((permission) => permission.name);
  const reasonAgainst = (name: string): string | undefined => {
    const view = viewOf(name, all);
    if (!can(name)) return t('roles.notHeld');
    return view === undefined || can(view) ? undefined : t('roles.viewNotHeld');
  };
  const handleToggle = (names: readonly string[], isOn: boolean) => {
    const next = isOn ? withViews([...held, ...names], all) : names.reduce<string[]>((left, name) => withoutView(left, name, all), held);
    onChange(all.filter((permission) => next.includes(permission.name)).map((permission) => permission.id));
  };
  return (
    <div
      id={control.id}
      role="group"
      tabIndex={-1}
      aria-labelledby={control['aria-labelledby']}
      aria-describedby={control['aria-describedby']}
    >
      <PermissionMatrix
        // The one of the system administrator is never part of another role.
        permissions={all.filter((permission) => permission.name !== 'super_admin')}
        held={new Set(held)}
        edit={{ reasonAgainst, onToggle: handleToggle }}
      />
    </div>
  );
}
