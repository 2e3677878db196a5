import type { CellProps } from '../../engine/resources/registry.ts';
import { currentLanguage, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { StatusMark } from '../../ui/index.ts';

/** What a type is called. Only system administrators deal with free types beside paid ones, so only they read which are paid. */
export function CreditTypeCell({ row, value, link }: CellProps) {
  const t = useT();
  const can = useCan();
  const payment = row['credit_type'] === 'free' || can('super_admin') ? `${String(row['credit_type'])}_` : '';
  return link(t(`credit_types.${payment}${String(value)}`));
}

/** What came (+) or went (−). */
export function CreditChangeCell({ value, link }: CellProps) {
  return link(new Intl.NumberFormat(currentLanguage(), { signDisplay: 'exceptZero' }).format(Number(value)));
}

/** Whether somebody has used a code. */
export function CodeUseCell({ value }: CellProps) {
  const t = useT();
  return value === true ? (
    <StatusMark kind="idle">{t('credits.codes.used')}</StatusMark>
  ) : (
    <StatusMark kind="good">{t('credits.codes.unused')}</StatusMark>
  );
}
