import type { ReactNode } from 'react';
import { currentLanguage, formatNumber, useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { SECOND, parseWire } from '../../kernel/time/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { CellLink, Code, ExactTime, Muted, RelativeTime, StatusMark, Tag, TagLine } from '../../ui/index.ts';
import { getResource } from '../resources/all.ts';
import { defineCell } from '../resources/registry.ts';
import { recordPath } from '../resources/resource.ts';
import type { CellProps } from '../resources/registry.ts';
import { isBlank, NoValue } from './CellContent.tsx';
import { formatBytes } from './format.ts';
import { valueLabel } from './labels.ts';

// Devices carry a handful of tags; a row must not grow with them.
const MAX_TAGS = 3;

defineCell('text', ({ value, link }) => (isBlank(value) ? <NoValue /> : link(String(value))));
defineCell('code', ({ value, link }) => (isBlank(value) ? <NoValue /> : link(<Code>{String(value)}</Code>)));
defineCell(
  'number',
  numberCell((value) => formatNumber(value)),
);
defineCell(
  'decimal',
  numberCell((value) => new Intl.NumberFormat(currentLanguage(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value)),
);
defineCell('bytes', numberCell(formatBytes));
defineCell(
  'duration',
  numberCell((seconds) => formatDuration(seconds * SECOND)),
);
defineCell('enum', ({ value, resource, column, link }) => (isBlank(value) ? <NoValue /> : link(valueLabel(resource, column.key, value))));
defineCell('enum-list', ({ value, resource, column, link }) =>
  Array.isArray(value) && value.length > 0 ? link(value.map((item) => valueLabel(resource, column.key, item)).join(', ')) : <NoValue />,
);
defineCell('state', ({ value, resource, column }) =>
  isBlank(value) ? (
    <NoValue />
  ) : (
    <StatusMark kind={column.marks?.[String(value)] ?? 'idle'}>{valueLabel(resource, column.key, value)}</StatusMark>
  ),
);
defineCell('relative-time', ({ value }) => (typeof value === 'string' ? <RelativeTime time={value} saysAgo /> : <NoValue />));
defineCell('date-time', DateTimeCell);
defineCell('last-day', LastDayCell);
defineCell('boolean', BooleanCell);
defineCell('tag-list', TagListCell);
defineCell('company', CompanyCell);

function numberCell(format: (value: number) => string): (props: CellProps) => ReactNode {
  return ({ value, link }) => (typeof value === 'number' && Number.isFinite(value) ? link(format(value)) : <NoValue />);
}

function DateTimeCell({ value, link }: CellProps) {
  return typeof value === 'string' && parseWire(value) !== undefined ? link(<ExactTime time={value} />) : <NoValue />;
}

const END_OF_DAY = ' 23:59:59';

/** The last day of something, as it was chosen: its end is that of the day in UTC, which is another day where the reader lives. Other times are shown whole. */
function LastDayCell(props: CellProps) {
  const { value, link } = props;
  return typeof value === 'string' && value.endsWith(END_OF_DAY) ? (
    link(<time dateTime={value.slice(0, -END_OF_DAY.length)}>{value.slice(0, -END_OF_DAY.length)}</time>)
  ) : (
    <DateTimeCell {...props} />
  );
}

function BooleanCell({ value }: CellProps) {
  const t = useT();
  return typeof value === 'boolean' ? <Muted>{t(value ? 'table.yes' : 'table.no')}</Muted> : <NoValue />;
}

/** The company's name, as a link to its page for those who may see it. */
function CompanyCell({ value, row, column }: CellProps) {
  const can = useCan();
  const companies = getResource('companies');
  const id = row['company_id'];
  const path = typeof id === 'number' && can(companies.permission.list) ? recordPath(companies, { id }) : undefined;
  if (isBlank(value)) return <NoValue />;
  if (!path) return String(value);
  return (
    <CellLink to={path} isName={column.primary ?? false}>
      {String(value)}
    </CellLink>
  );
}

interface TagValue {
  id: number;
  name: string;
  color: string | null;
}

function TagListCell({ value }: CellProps) {
  const t = useT();
  const tags = Array.isArray(value) ? value.filter(isTag) : [];
  if (tags.length === 0) return null;
  const hidden = tags.slice(MAX_TAGS);
  return (
    <TagLine
      more={
        hidden.length > 0
          ? { text: t('table.moreTags', { count: hidden.length }), names: hidden.map((tag) => tag.name).join(', ') }
          : undefined
      }
    >
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <Tag key={tag.id} color={tag.color}>
          {tag.name}
        </Tag>
      ))}
    </TagLine>
  );
}

function isTag(value: unknown): value is TagValue {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value && 'color' in value;
}
