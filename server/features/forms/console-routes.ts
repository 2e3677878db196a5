import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemasFolder } from '../../../schemas/kit/codegen/load.ts';
import { ok, stream } from '../../kernel/answer.ts';
import { can } from '../../kernel/actor.ts';
import { NotFound } from '../../kernel/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import type { Catalogue } from './catalogue.ts';
import type { Drafts } from './drafts.ts';
import { tag } from './file-routes.ts';
import { mayOpen, presentForConsole } from './present.ts';

const FOR_EVER = 'private, max-age=31536000, immutable';
const META_SECONDS = 3600;

/** Registers what consoles and editors load: the list of added forms, their compiled code, and the meta-schema of form files. */
export function registerForConsole(app: App, catalogue: Catalogue, drafts: Drafts): void {
  route(app, {
    method: 'GET',
    path: '/forms/added',
    access: 'signed-in',
    tokens: 'by-scope',
    summary: 'The added forms that the caller may open.',
    tag,
    handler: async ({ actor }) => ok(presentForConsole(catalogue, actor)),
  });
  route(app, {
    method: 'GET',
    path: '/forms-code/:room/:file',
    atRoot: true,
    access: 'signed-in',
    tokens: 'by-scope',
    summary: 'A form with its rules, compiled for the console; the name holds the hash of the content.',
    mediaType: 'text/javascript',
    tag,
    params: Type.Object({ room: Type.String({ maxLength: 64 }), file: Type.String({ maxLength: 110 }) }),
    async handler({ actor, params }) {
      // `set-apn.0f3c…9a.js`
      const [, name = '', hash = ''] = /^([a-z0-9-]+)\.([0-9a-f]{32})\.js$/.exec(params.file) ?? [];
      const id = `${params.room}/${name}`;
      const usable = catalogue.find(id)?.usable;
      const isOpen = usable?.hash === hash && mayOpen(actor, usable.form);
      const draft = can(actor, 'manage_forms') ? drafts.find(hash) : undefined;
      const code = isOpen ? usable.code : draft?.form.id === id ? draft.code : undefined;
      if (code === undefined) throw new NotFound({});
      return stream(code, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': FOR_EVER });
    },
  });
  route(app, {
    method: 'GET',
    path: '/schemas/form-v1.json',
    atRoot: true,
    access: 'public',
    summary: 'The meta-schema of form files: editors complete and explain by it.',
    mediaType: 'application/json',
    answer: { type: 'object', description: 'A JSON Schema.' },
    tag,
    handler: async () =>
      stream(readFileSync(join(schemasFolder, 'meta', 'form.meta.json')), {
        'content-type': 'application/schema+json; charset=utf-8',
        'cache-control': `public, max-age=${META_SECONDS}`,
        // Editors in a browser are on other origins.
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      }),
  });
}
