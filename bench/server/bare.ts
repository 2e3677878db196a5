import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';

// What a few lines can do with the same data: the yardstick beside our own numbers.

const database = new DatabaseSync(join(process.env['DATA_DIR'] ?? '.', 'canopy.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000');
const app = Fastify();

const SCOPE = 'company_id in (select id from companies where path >= ? and path < ?)';

interface ListQuery {
  path: string;
  status?: string;
  q?: string;
  offset?: string;
}

app.get<{ Querystring: ListQuery }>('/devices', async (request) => {
  const { path, status, q, offset = '0' } = request.query;
  const conditions = [SCOPE, ...(status ? ['status = ?'] : []), ...(q ? ['search_text like ?'] : [])].join(' and ');
  const values = [path, `${path.slice(0, -1)}0`, ...(status ? [Number(status)] : []), ...(q ? [`%${q}%`] : [])];
  const rows = database
    .prepare(`select * from devices where ${conditions} order by name, id limit 50 offset ?`)
    .all(...values, Number(offset));
  const counted = database.prepare(`select count(*) as total from devices where ${conditions}`).get(...values);
  return { success: true, data: rows, meta: { total: counted?.['total'] } };
});

app.put<{ Body: { device_id: number[]; tag_id: number } }>('/tags', { bodyLimit: 1e7 }, async (request) => {
  const { device_id: ids, tag_id: tagId } = request.body;
  database.exec('begin immediate');
  const insert = database.prepare('insert or ignore into device_tags (device_id, tag_id) values (?, ?)');
  const audit = database.prepare(
    `insert into audit (at, actor_id, actor_name, action, entity, entity_id, entity_name, company_id, before, after, ip, request_id)
     values (?, 1, 'bare', 'devices.assign-tags', 'device', ?, '', 1, '{"tag_id":[]}', ?, '', '')`,
  );
  for (const id of ids) {
    insert.run(id, tagId);
    audit.run(Date.now(), id, JSON.stringify({ tag_id: [tagId] }));
  }
  database.exec('commit');
  return { changed: ids.length };
});

const cell = (value: unknown): string =>
  value === null ? '' : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);

function* csv(): Generator<string> {
  const statement = database.prepare('select * from devices order by id');
  yield `${statement
    .columns()
    .map((column) => column.name)
    .join(',')}\n`;
  for (const row of statement.iterate()) yield `${Object.values(row).map(cell).join(',')}\n`;
}

app.get('/csv', async (_request, reply) => reply.type('text/csv').send(Readable.from(csv())));
app.get('/health', async () => ({ status: 'ok' }));

const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`Bare is ready at ${url}\n`);
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
