import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Type } from '../type.ts';
import packageFile from '../../../package.json' with { type: 'json' };
import { stream } from '../answer.ts';
import { NotFound } from '../errors.ts';
import { route, type App } from '../route.ts';

const access = { permission: 'view_api_docs' } as const;
const tag = 'system';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Canopy API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

const START = `'use strict';
const forgeryToken = () => (document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]*)/) || [])[1] || '';
window.ui = SwaggerUIBundle({
  url: '/api/docs/json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  requestInterceptor: (request) => {
    request.headers['X-XSRF-TOKEN'] = decodeURIComponent(forgeryToken());
    return request;
  },
});
`;

const FILES: Record<string, { type: string; text?: string }> = {
  'start.js': { type: 'text/javascript; charset=utf-8', text: START },
  'swagger-ui.css': { type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8' },
};

function libraryFile(name: string): Promise<Buffer> {
  const require = createRequire(import.meta.url);
  return readFile(join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static', name));
}

/** Registers the API description and the page that shows it. Everything of it is read when it is asked for, so that starting costs nothing. */
export function registerApiDocs(app: App): void {
  route(app, {
    method: 'GET',
    path: '/docs',
    access,
    summary: 'This description, as a page.',
    tag,
    mediaType: 'text/html',
    handler: async () => stream(PAGE, { 'content-type': 'text/html; charset=utf-8' }),
  });
  route(app, {
    method: 'GET',
    path: '/docs/json',
    access,
    summary: 'This description, as OpenAPI 3.1.',
    mediaType: 'application/json',
    answer: {
      type: 'object',
      required: ['openapi', 'info', 'paths', 'components'],
      properties: {
        openapi: { type: 'string' },
        info: { type: 'object' },
        servers: { type: 'array', items: { type: 'object' } },
        security: { type: 'array', items: { type: 'object' } },
        paths: { type: 'object', additionalProperties: { type: 'object' } },
        components: { type: 'object' },
      },
    },
    tag,
    async handler({ ctx }) {
      const { describeApi } = await import('../openapi/describe-api.ts');
      const description = describeApi([...app.routes, ...app.describeMore.flatMap((describe) => describe())], {
        url: ctx.publicUrl(),
        version: packageFile.version,
        listPaths: new Set(app.lists.map(({ path }) => `/api${path}`)),
      });
      return stream(JSON.stringify(description), { 'content-type': 'application/json; charset=utf-8' });
    },
  });
  route(app, {
    method: 'GET',
    path: '/docs/:file',
    access,
    summary: 'A file of the page.',
    tag,
    mediaType: 'application/octet-stream',
    params: Type.Object({ file: Type.String({ maxLength: 40 }) }),
    async handler({ params }) {
      const file = Object.hasOwn(FILES, params.file) ? FILES[params.file] : undefined;
      if (!file) throw new NotFound({});
      return stream(file.text ?? (await libraryFile(params.file)), {
        'content-type': file.type,
        'cache-control': 'private, max-age=86400',
      });
    },
  });
}
