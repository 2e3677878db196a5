import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { NotFound } from '../../kernel/errors.ts';
import { findHostTheme, type Theme } from '../themes.ts';
import { isApiAddress } from '../../kernel/http/headers.ts';
import { escapeAttribute, renderPage } from './render-page.ts';
import { contentPolicy, styleNonce } from '../../kernel/http/security-headers.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const COMPRESSED_ALREADY = new Set(['.png', '.ico', '.woff2']);
const BROTLI_QUALITY = 9;
const FOR_EVER = 'public, max-age=31536000, immutable';

type Encoding = 'br' | 'gzip' | 'identity';

/** A file of the console as it is sent. */
interface EncodedFile {
  body: Buffer;
  tag: string;
}

/** The console's built files: only names that the build wrote can be asked for, so no address leads out of the folder. */
interface Folder {
  names: ReadonlySet<string>;
  page: string;
  builtAt: number;
  bodies: Map<string, Promise<EncodedFile>>;
}

/** The encoded files of the build that was read last: compressing them takes a second, once in a process. */
let encodedBuild: { key: string; bodies: Folder['bodies'] } | undefined;

function bodiesOfBuild(path: string, builtAt: number): Folder['bodies'] {
  const key = `${path} ${builtAt}`;
  if (encodedBuild?.key !== key) encodedBuild = { key, bodies: new Map() };
  return encodedBuild.bodies;
}

type PageSettings = Pick<Config, 'docsUrl' | 'mapTilesUrl' | 'mapAttribution'>;

function readFolder(path: string, settings: PageSettings): Folder | undefined {
  const builtAt = statSync(join(path, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return undefined;
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => relative(path, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const page = withTiles(withDocs(readFileSync(join(path, 'index.html'), 'utf8'), settings.docsUrl), settings);
  return { names: new Set(names), page, builtAt, bodies: bodiesOfBuild(path, builtAt) };
}

/** Where the documentation is, for the console's help links. An address without quotes or angle brackets, as `URL` writes them. */
function withDocs(page: string, docsUrl: string | undefined): string {
  return docsUrl === undefined
    ? page
    : page.replace('<head>', () => `<head><meta name="docs" content="${new URL(docsUrl).href.replaceAll('&', '&amp;')}" />`);
}

/** Where the map's tiles are, and who is named for them. */
function withTiles(page: string, { mapTilesUrl, mapAttribution }: PageSettings): string {
  if (mapTilesUrl === undefined) return page;
  const content = escapeAttribute(JSON.stringify({ url: mapTilesUrl, attribution: mapAttribution }));
  return page.replace('<head>', () => `<head><meta name="map-tiles" content="${content}" />`);
}

/** The name below the folder that an address asks for; undefined when it cannot be one. */
function nameOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '').replace(/^\/+/, '');
  } catch {
    return undefined;
  }
}

function encodingFor(request: FastifyRequest, name: string): Encoding {
  if (COMPRESSED_ALREADY.has(extname(name))) return 'identity';
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  const accepts = (encoding: string): boolean => new RegExp(`(?:^|[,\\s])${encoding}(?:$|[,;\\s])(?!\\s*q=0(?:[,.\\s]|$))`).test(accepted);
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'identity';
}

async function compress(raw: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'br') return promisify(brotliCompress)(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return encoding === 'gzip' ? promisify(gzip)(raw) : raw;
}

async function encode(file: string, encoding: Encoding): Promise<EncodedFile> {
  const raw = await readFile(file);
  const tag = `"${createHash('sha256').update(raw).digest('base64url').slice(0, 22)}-${encoding}"`;
  return { body: await compress(raw, encoding), tag };
}

/**
 * Answers what no route answers: the console's files, and its page for every address that a browser opens as a page.
 * Files whose name holds a hash of their content are kept by browsers for ever, the others are asked for again each time.
 */
export function registerConsoleFiles(fastify: FastifyInstance, ctx: Pick<Context, 'reads' | 'config' | 'log'>, folderPath: string): void {
  const { mapTilesUrl } = ctx.config;
  const tilesFrom = mapTilesUrl === undefined ? undefined : new URL(mapTilesUrl.replaceAll(/[{}]/g, '')).origin;
  let folder = readFolder(folderPath, ctx.config);

  function currentFolder(): Folder | undefined {
    const builtAt = statSync(join(folderPath, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt !== folder?.builtAt) folder = readFolder(folderPath, ctx.config);
    return folder;
  }

  async function sendFile(files: Folder, name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const encoding = encodingFor(request, name);
    const key = `${encoding} ${name}`;
    const encoded = files.bodies.get(key) ?? encode(join(folderPath, name), encoding);
    files.bodies.set(key, encoded);
    encoded.catch(() => files.bodies.delete(key));
    const { body, tag } = await encoded;
    reply
      .header('cache-control', name.startsWith('assets/') ? FOR_EVER : 'no-cache')
      .header('etag', tag)
      .header('vary', 'accept-encoding')
      .type(TYPES[extname(name)] ?? 'application/octet-stream');
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.send(body);
  }

  /** The page without its theme is better than no page. */
  async function findThemeOf(request: FastifyRequest): Promise<Theme | undefined> {
    try {
      return await findHostTheme(ctx.reads, request.hostname);
    } catch (error) {
      ctx.log.warn({ err: error }, 'the theme of a host name could not be read');
      return undefined;
    }
  }

  async function sendPage(files: Folder, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const nonce = styleNonce();
    const page = renderPage(files.page, {
      nonce,
      cookies: request.headers.cookie ?? '',
      languages: request.headers['accept-language'] ?? '',
      theme: await findThemeOf(request),
    });
    const encoding = encodingFor(request, 'index.html');
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply
      .header('content-security-policy', contentPolicy(nonce, tilesFrom))
      .header('cache-control', 'no-store')
      .header('vary', 'accept-encoding, cookie, accept-language, host')
      .type('text/html; charset=utf-8')
      .send(await compress(Buffer.from(page), encoding));
  }

  fastify.setNotFoundHandler(async (request, reply) => {
    const files = isApiAddress(request.url) ? undefined : currentFolder();
    const name = nameOf(request.url);
    if (!files || name === undefined) throw new NotFound({});
    if (name !== 'index.html' && files.names.has(name)) return sendFile(files, name, request, reply);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // An address like `/logo.png` is a file that is missing, unless a browser opens it as a page.
    const isPage = !/\.\w+$/.test(name) || name === 'index.html' || String(request.headers.accept ?? '').includes('text/html');
    if (!isRead || !isPage || name.startsWith('agent/') || name.startsWith('assets/')) throw new NotFound({});
    return sendPage(files, request, reply);
  });
}
