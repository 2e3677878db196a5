import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { stream, type Answer } from '../../kernel/answer.ts';
import { attachmentOf, namesTag, readRange } from './content-headers.ts';
import { FileContentMissing } from './errors.ts';

/**
 * A file's bytes, or the part that `range` asks for, so that a broken download goes on where it stopped; its tag is the sum of its content.
 * Throws FILE_CONTENT_MISSING.
 */
export async function answerWithFile(
  ctx: Context,
  row: Pick<Row<'files'>, 'name' | 'size' | 'sha256' | 'content_key'>,
  request: Pick<FastifyRequest, 'headers'>,
): Promise<Answer> {
  const etag = `"${row.sha256}"`;
  const headers = {
    etag,
    'accept-ranges': 'bytes',
    'content-disposition': attachmentOf(row.name),
    'content-type': 'application/octet-stream',
  };
  if (namesTag(request.headers['if-none-match'], etag)) return stream('', { etag }, 304);
  const condition = request.headers['if-range'];
  const isSame = condition === undefined || namesTag(String(condition), etag);
  const range = isSame ? readRange(request.headers.range, row.size) : undefined;
  if (range === 'unsatisfiable') return stream('', { etag, 'content-range': `bytes */${row.size}` }, 416);
  const content = await ctx.files.read(row.content_key, range);
  if (!content) throw new FileContentMissing({});
  if (range === undefined) return stream(content, { ...headers, 'content-length': String(row.size) });
  const length = range.end - range.start + 1;
  return stream(
    content,
    { ...headers, 'content-length': String(length), 'content-range': `bytes ${range.start}-${range.end}/${row.size}` },
    206,
  );
}
