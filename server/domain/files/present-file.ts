import type { File } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';

export type FileRow = Row<'files'> & { company_name: string | null; device_name: string | null };

/** Whose a file is: the whole installation's, a company's, or one of its devices'. */
export function ownerOf(row: Pick<FileRow, 'company_id' | 'device_id'>): File['owner'] {
  if (row.company_id === null) return 'global';
  return row.device_id === null ? 'company' : 'device';
}

/** A file as the wire shows it. */
export function presentFile(row: FileRow): File {
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    device_id: row.device_id,
    device_name: row.device_name,
    owner: ownerOf(row),
    type: row.type,
    name: row.name,
    description: row.description || null,
    file_size: row.size,
    sha256: row.sha256,
    device_model: row.device_model,
    version: row.version,
    is_stable: row.is_stable === 1,
    is_signed: row.signature !== null,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
  };
}

/** What the history keeps of a file. */
export function historyOf({ content_key: _key, company_name: _company, device_name: _device, ...row }: FileRow) {
  return row;
}
