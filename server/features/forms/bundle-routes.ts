import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { MAX_FILE_BYTES } from '../../../schemas/kit/lint/lint-source.ts';
import { ok, partial, stream } from '../../kernel/answer.ts';
import { AppError } from '../../kernel/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import type { Catalogue } from './catalogue.ts';
import { FormChanged } from './errors.ts';
import { access, tag } from './file-routes.ts';
import { isFormIdShape } from './folder.ts';
import { hashOf } from './repo.ts';

const FORMAT = 'canopy-forms/1';
const MAX_FORMS = 200;
const BUNDLE_LIMIT = 32 * 1024 * 1024;

const importBody = Type.Object(
  {
    format: Type.Optional(Type.String({ pattern: `^${FORMAT}$` })),
    forms: Type.Array(
      Type.Object(
        {
          id: Type.String({ maxLength: 129 }),
          text: Type.String({ maxLength: MAX_FILE_BYTES }),
          sha256: Type.Optional(Type.String({ maxLength: 64 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MAX_FORMS },
    ),
    overwrite: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Registers taking all added forms along: one JSON file out, and in again. */
export function registerBundles(app: App, catalogue: Catalogue): void {
  route(app, {
    method: 'GET',
    path: '/forms/export',
    access,
    summary: 'All added forms as one JSON file.',
    mediaType: 'application/json',
    answer: {
      type: 'object',
      required: ['format', 'forms'],
      properties: {
        format: { type: 'string' },
        forms: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'text', 'sha256'],
            properties: { id: { type: 'string' }, text: { type: 'string' }, sha256: { type: 'string' } },
          },
        },
      },
    },
    tag,
    async handler() {
      const forms = catalogue
        .all()
        .flatMap(({ id, usable }) => (usable ? [{ id, text: usable.version.text, sha256: usable.version.sha256 }] : []));
      return stream(`${JSON.stringify({ format: FORMAT, forms }, null, 2)}\n`, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="canopy-forms.json"',
      });
    },
  });
  route(app, {
    method: 'POST',
    path: '/forms/import',
    access,
    summary: 'Saves the forms of such a file, each by itself; with `overwrite` also over forms of the same id.',
    tag,
    body: importBody,
    bodyLimit: BUNDLE_LIMIT,
    async handler({ actor, origin, body }) {
      const saved: { id: string; version: number }[] = [];
      const errors: ErrorItem[] = [];
      for (const [index, { id, text }] of body.forms.entries()) {
        const present = catalogue.find(id)?.text;
        const over = present === undefined ? undefined : hashOf(present);
        try {
          if (over !== undefined && over !== hashOf(text) && body.overwrite !== true)
            throw new FormChanged({ yours: hashOf(text), theirs: over });
          const { usable } = await catalogue.save({ actor, origin }, { id, text, over, note: '', action: 'forms.save' });
          saved.push({ id, version: usable?.version.number ?? 0 });
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          const name = isFormIdShape(id) ? id : '';
          errors.push(
            ...error.items.map((item) => ({
              ...item,
              source: `forms.${index}${item.source ? `.${item.source}` : ''}`,
              params: { ...item.params, id: name },
            })),
          );
        }
      }
      return errors.length > 0 ? partial(saved, errors) : ok(saved);
    },
  });
}
