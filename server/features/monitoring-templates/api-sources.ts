import type { ApiNode, ApiSource } from '../../../schemas/kit/devices/api-sources.ts';
import { sourceUrl } from '../../../schemas/kit/devices/api-sources.ts';
import type { Context } from '../../context.ts';
import { ok } from '../../kernel/answer.ts';
import { NotFound } from '../../kernel/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';

const SYSTEMS = ['rutos', 'tswos'] as const;
type System = (typeof SYSTEMS)[number];

interface Described {
  system: System;
  url: string;
  title: string;
  /** What it answers; only where one address was asked for. */
  nodes?: ApiNode[];
}

// Documents are large and change seldom: what was read is kept under the checksum of its file.
const known = new Map<System, { sha256: string; sources: ApiSource[] }>();

async function sourcesOf(ctx: Context, system: System): Promise<ApiSource[]> {
  const file = await ctx.reads.selectFrom('api_descriptions').select('sha256').where('system', '=', system).executeTakeFirst();
  if (!file) return [];
  const before = known.get(system);
  if (before?.sha256 === file.sha256) return before.sources;
  const row = await ctx.reads.selectFrom('api_descriptions').select(['sha256', 'sources']).where('system', '=', system).executeTakeFirst();
  // Our own writing, made from a file that was checked.
  const sources = JSON.parse(row?.sources ?? '[]') as ApiSource[];
  if (row) known.set(system, { sha256: row.sha256, sources });
  return sources;
}

/** The addresses that the API documents of devices describe, by system and address. */
async function listSources(ctx: Context): Promise<Described[]> {
  const all = await Promise.all(SYSTEMS.map(async (system) => ({ system, sources: await sourcesOf(ctx, system) })));
  return all.flatMap(({ system, sources }) => sources.map(({ url, title }) => ({ system, url, title })));
}

/** One of them with what it answers. Throws NOT_FOUND. */
async function findSource(ctx: Context, system: System, url: string): Promise<Described> {
  const source = (await sourcesOf(ctx, system)).find((one) => one.url === sourceUrl(url));
  if (!source) throw new NotFound({}, { source: 'url' });
  return { system, ...source };
}

/** Registers what monitoring templates may ask the router's own API for, as the API documents say that were uploaded. */
export function registerApiSources(app: App): void {
  route(app, {
    method: 'GET',
    path: '/data-collect/sources',
    access: { permission: 'view_monitoring' },
    summary:
      'The addresses of the router’s own API that the uploaded API documents describe; with `system` and `url`, what one of them answers.',
    tag: 'data collect',
    query: Type.Object({
      system: Type.Optional(Type.Unsafe<System>({ type: 'string', enum: SYSTEMS })),
      url: Type.Optional(Type.String({ minLength: 2, maxLength: 255 })),
    }),
    async handler({ ctx, query: { system = 'rutos', url } }) {
      return ok(url === undefined ? await listSources(ctx) : [await findSource(ctx, system, url)]);
    },
  });
}
