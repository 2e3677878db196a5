import { useCustom } from '@refinedev/core';
import type { CustomField } from '../../../schemas/kit/devices/custom-fields.ts';
import type { Device } from '../../../schemas/_generated/contract.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { keptFor } from '../../kernel/queries.ts';
import { MINUTE } from '../../kernel/time/index.ts';
import { Card } from '../../ui/index.ts';
import { CustomValueText } from './CustomFieldCell.tsx';
import { Facts, type Fact } from './DeviceFacts.tsx';

/** What the custom fields of a device hold; nothing where none holds anything. */
export function CustomFacts({ device }: { device: Device }) {
  const t = useT();
  const isWanted = Object.keys(device.custom ?? {}).length > 0;
  const { query } = useCustom<{ fields: CustomField[] }, ApiError>({
    url: `/devices/${device.id}/custom-fields`,
    method: 'get',
    queryOptions: { enabled: isWanted, ...keptFor(MINUTE, 'companies') },
    errorNotification: false,
  });
  const fields = query.data?.data.fields ?? [];
  const facts = fields.flatMap(({ name, title }): Fact[] => {
    const value = device.custom?.[name];
    return value === undefined ? [] : [[title, <CustomValueText key={name} value={value} />]];
  });
  if (!isWanted || facts.length === 0) return null;
  return (
    <Card title={t('devices.custom.title')}>
      <Facts facts={facts} />
    </Card>
  );
}
