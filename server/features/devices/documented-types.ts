import { deviceCapabilities } from '../../../schemas/kit/devices/device-capabilities.ts';
import { PERIOD_KEYS } from '../../../schemas/kit/devices/monitoring-parts.ts';
import type { JsonSchema } from '../../../schemas/kit/form/types.ts';
import { TEXT_PINS } from './documented-details.ts';
import { documentedFields, unknownFields } from './documented.ts';

const NUMBERS = new Set(['latitude', 'longitude', 'temperature_2', 'altitude', 'speed', 'course', 'accuracy']);
const INTEGERS = new Set<string>([
  ...['credit_enabled', 'credit_activated', 'auto_extend_credit', 'management_credit_type_id', 'data_credit_type_id'],
  ...['is_facelift', 'is_authenticated', 'gps_time', 'mqtt', 'fix_status', 'satellites', 'device_id'],
  ...PERIOD_KEYS,
]);
const PINS = /^(digital|analog|open_collector|relay|dry_wet)_/;
const OTHERS: Readonly<Record<string, JsonSchema>> = {
  monitoring_enabled: { type: 'integer', enum: [0, 1] },
  fw_version: { type: ['array', 'null'], items: { type: 'integer' } },
  tags: {
    type: 'array',
    items: {
      type: 'object',
      required: ['id', 'name', 'color'],
      properties: {
        ...{ id: { type: 'integer' }, name: { type: 'string' }, color: { type: ['string', 'null'] } },
        ...{ company_id: { type: 'integer' }, description: { type: ['string', 'null'] } },
        ...{ created_at: { type: 'string', format: 'timestamp' }, updated_at: { type: 'string', format: 'timestamp' } },
        actions: { $ref: '#/components/schemas/tag/properties/actions' },
      },
    },
  },
};

const capabilities = new Map<string, unknown>(Object.entries(deviceCapabilities({ model: '', firmware: '' })));

function typeOf(name: string): JsonSchema {
  if ((unknownFields as readonly string[]).includes(name)) return { type: 'null' };
  const capability = capabilities.get(name);
  if (typeof capability === 'boolean') return { type: 'boolean' };
  if (typeof capability === 'number' || INTEGERS.has(name)) return { type: ['integer', 'null'] };
  if (NUMBERS.has(name) || (PINS.test(name) && !TEXT_PINS.has(name))) return { type: ['number', 'null'] };
  return { type: ['string', 'null'] };
}

/** The types of what programs read of a device beyond its record, and of its tags. */
export const documentedTypes: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(documentedFields.map((name) => [name, typeOf(name)])),
  ...OTHERS,
};
