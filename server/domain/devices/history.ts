import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import type { Row } from '../../db/schema.ts';

type Joined = { company_name?: string | null; company_path?: string };

/** A device's row as the history keeps it: everything but the credential, what is derived for searching, what the device repeats of our own settings, and what was read along of its company. */
export function deviceHistory(row: Row<'devices'> & Joined): Record<string, JsonValue> {
  const { credential_hash: _hash, device_key: _key, search_text: _text, name_key: _nameKey, reported_periods: _periods, ...rest } = row;
  const { company_name: _company, company_path: _path, ...kept } = rest;
  return kept;
}
