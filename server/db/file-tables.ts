import type { Generated } from 'kysely';
import type { Millis } from './schema.ts';

export type FileType =
  'config' | 'firmware' | 'global_firmware' | 'device_task_manager_file' | 'custom_file' | 'eventslog' | 'troubleshoot' | 'periodic_backup';

/** What is known of a file; its bytes lie in the file store under `content_key`. */
export interface FilesTable {
  id: Generated<number>;
  /** null: of the whole installation. */
  company_id: number | null;
  /** The device that it came from. */
  device_id: number | null;
  type: FileType;
  name: string;
  description: string;
  /** Bytes. */
  size: number;
  /** Hex. */
  sha256: string;
  content_key: string;
  /** Read from the name of a firmware. */
  device_model: string | null;
  version: string | null;
  uploaded_by: number | null;
  created_at: Millis;
  updated_at: Millis;
}
