import { expect, it } from 'vitest';
import { changedFields } from './changed-fields.ts';

it('names only the fields that differ, and never the bookkeeping ones', () => {
  expect(
    changedFields({ id: 1, name: 'a', updated_at: 1, tags: [{ name: 'x' }] }, { id: 1, name: 'b', updated_at: 2, tags: [{ name: 'x' }] }),
  ).toEqual([{ field: 'name', before: 'a', after: 'b' }]);
});

it('shows lists of records by their names', () => {
  expect(changedFields({ tags: [] }, { tags: [{ name: 'x' }, { name: 'y' }] })).toEqual([
    { field: 'tags', before: undefined, after: 'x, y' },
  ]);
});

it('shows companies and tags by the names that came along, others by their number', () => {
  expect(
    changedFields({ company_id: 7, tag_id: [3, 4] }, { company_id: 8, tag_id: [4] }, { 'company_id:7': 'Harbour', 'tag_id:3': 'Pier' }),
  ).toEqual([
    { field: 'company_id', before: 'Harbour', after: '8' },
    { field: 'tag_id', before: 'Pier, 4', after: '4' },
  ]);
});

it('does not call a creation or a removal a change of every field', () => {
  expect(changedFields(null, { name: 'a' })).toEqual([]);
  expect(changedFields({ name: 'a' }, null)).toEqual([]);
});
