import type { JsonValue } from '../../../schemas/kit/types.ts';
import type { Row } from '../../db/schema.ts';

/** A device's row as the history keeps it: everything but the credential and what is derived for searching. */
export function deviceHistory(row: Row<'devices'>): Record<string, JsonValue> {
  const { credential_hash: _hash, device_key: _key, search_text: _text, ...kept } = row;
  return kept;
}
