import type { Tag } from '../../../schemas/_generated/contract.ts';
import type { Row } from '../../db/schema.ts';
import { wireTime } from '../../kernel/clock.ts';
import { presentTagAction } from '../../domain/tags/tag-actions.ts';

export type TagRow = Row<'tags'> & {
  company_name: string;
  /** Devices that the viewer sees. */
  devices_count: number;
};

/** A tag as the wire shows it, with those of the actions that are its own when they are given. */
export function presentTag(row: TagRow, actions?: readonly Row<'tag_actions'>[]): Tag {
  return {
    id: row.id,
    company_id: row.company_id,
    company_name: row.company_name,
    name: row.name,
    description: row.description || null,
    color: row.color || null,
    devices_count: row.devices_count,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    ...(actions ? { actions: actions.filter((action) => action.tag_id === row.id).map(presentTagAction) } : {}),
  };
}
