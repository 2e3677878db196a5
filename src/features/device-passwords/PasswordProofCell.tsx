import type { CellProps } from '../../engine/resources/registry.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { StatusMark } from '../../ui/index.ts';

/** Whether the device has shown that the password works, or whether it is one of several. */
export function PasswordProofCell({ value }: CellProps) {
  const t = useT();
  return value === true ? (
    <StatusMark kind="good">{t('device-passwords.proven')}</StatusMark>
  ) : (
    <StatusMark kind="warn">{t('device-passwords.doubtful')}</StatusMark>
  );
}
