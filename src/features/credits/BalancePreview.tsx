import { useList } from '@refinedev/core';
import type { Credit } from '../../../schemas/_generated/contract.ts';
import { CREDIT_KINDS, GIGABYTES_PER_CREDIT } from '../../../schemas/kit/resources/credits.ts';
import type { FormPreviewProps } from '../../engine/form/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import styles from './credits.module.css';

/** Company data is bought with paid credits. */
const DATA_PRICE_TYPE = 'credit';

/** A company's balance of the resource that a form spends, and what is left of it afterwards; more than there is is said as it is typed. */
export default function BalancePreview({ formId, data }: FormPreviewProps) {
  const t = useT();
  const isData = formId === 'companies/data';
  const company = Number(data['source'] ?? data['company_id'] ?? 0);
  const type = isData ? DATA_PRICE_TYPE : data['credit_type_name'];
  const { query } = useList<Credit, ApiError>({
    resource: 'credits',
    pagination: { currentPage: 1, pageSize: 100 },
    filters: [{ field: 'company_id', operator: 'eq', value: company }],
    queryOptions: { enabled: company > 0 },
    errorNotification: false,
  });
  const rows = query.data?.data;
  if (!rows || company === 0 || typeof type !== 'string') return null;
  const typeId = idOfType(type);
  const left = rows
    .filter((row) => row.company_id === company && row.credit_type_id === typeId)
    .reduce((sum, row) => sum + row.credit_left, 0);
  const amount = Number(data['credits'] ?? data['amount'] ?? 0);
  const isSpent = Number.isSafeInteger(amount) && amount > 0;
  const isShort = isSpent && amount > left;
  const words = {
    left: formatNumber(left),
    after: formatNumber(left - amount),
    count: amount,
    gigabytes: formatNumber(amount * GIGABYTES_PER_CREDIT),
  };
  const key = isShort ? 'short' : !isSpent ? 'left' : isData ? 'data' : 'after';
  return (
    <p role="status" className={isShort ? styles.short : styles.balance}>
      {t(`credits.balance.${key}`, words)}
    </p>
  );
}

/** The id of a type by its name: `credit` → 2, `credit_free` → 1, `management_6m` → 4. */
function idOfType(name: string): number {
  const isFree = name.endsWith('_free');
  const kind = isFree ? name.slice(0, -'_free'.length) : name;
  return CREDIT_KINDS.findIndex((known) => known === kind) * 2 + (isFree ? 1 : 2);
}
