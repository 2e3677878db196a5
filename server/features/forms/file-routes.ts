import { describeForm } from '../../../schemas/kit/form/describe-form.ts';
import { breaksOf } from '../../../schemas/kit/form/form-breaks.ts';
import { MAX_FILE_BYTES } from '../../../schemas/kit/lint/lint-source.ts';
import { ok, type Answer } from '../../kernel/answer.ts';
import { NotFound } from '../../kernel/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { Type } from '../../kernel/type.ts';
import { usableFrom, type AddedForm, type Catalogue } from './catalogue.ts';
import type { Drafts } from './drafts.ts';
import { isFormIdShape } from './folder.ts';
import { etagOf, hashIn, healthOf, presentAdded, presentShipped, readShipped, shippedForms } from './present.ts';
import { warningsOf } from './warnings.ts';

export const access = { permission: 'manage_forms' } as const;
export const tag = 'forms';
export const nameParams = Type.Object({ room: Type.String({ maxLength: 64 }), name: Type.String({ maxLength: 64 }) });
/** A text of the largest size, every character of it escaped. */
export const SAVE_LIMIT = 8 * MAX_FILE_BYTES;

const text = Type.String({ maxLength: MAX_FILE_BYTES });
const note = Type.Optional(Type.String({ maxLength: 200 }));

/** `<room>/<name>` of an address. Throws NOT_FOUND for what can be no id. */
export function idOf({ room, name }: { room: string; name: string }): string {
  const id = `${room}/${name}`;
  if (!isFormIdShape(id)) throw new NotFound({});
  return id;
}

function presentFile(added: AddedForm) {
  return { ...presentAdded(added), text: added.text ?? null, etag: added.text === undefined ? null : etagOf(added.text) };
}

function idInText(source: string): string {
  const written: unknown = tryParse(source);
  const id: unknown = typeof written === 'object' && written !== null && 'id' in written ? written.id : undefined;
  return typeof id === 'string' && isFormIdShape(id) ? id : 'new/form';
}

function tryParse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function registerReading(app: App, catalogue: Catalogue): void {
  route(app, {
    method: 'GET',
    path: '/forms',
    access,
    summary: 'Every form: those that ship and those that were added, with health and version.',
    tag,
    async handler() {
      const added = catalogue.all();
      const replaced = new Set(added.filter(({ usable }) => usable).map(({ id }) => id));
      const shipped = Object.values(shippedForms()).filter(({ id }) => !replaced.has(id));
      const rows = [...shipped.map(presentShipped), ...added.map(presentAdded)].toSorted((a, b) => a.id.localeCompare(b.id));
      return ok(rows, { total: rows.length });
    },
  });
  route(app, {
    method: 'GET',
    path: '/forms/health',
    access,
    summary: 'What is wrong in the folder of added forms; an empty list when nothing is.',
    tag,
    async handler() {
      const broken = catalogue.all().filter(({ findings }) => findings.length > 0);
      return ok([
        ...broken.map((added) => ({
          path: `${added.id}.form.json`,
          id: added.id,
          health: healthOf(added),
          version: added.usable?.version.number ?? null,
          findings: added.findings,
        })),
        ...[...catalogue.odd()].map(([path, finding]) => ({ path, id: null, health: 'unusable', version: null, findings: [finding] })),
      ]);
    },
  });
  route(app, {
    method: 'GET',
    path: '/forms/:room/:name',
    access,
    summary: 'The text of a form with its entity tag and its findings.',
    tag,
    params: nameParams,
    async handler({ params, reply }) {
      const id = idOf(params);
      const added = catalogue.find(id);
      const shipped = added ? undefined : readShipped(id);
      const form = shipped && shippedForms()[id];
      const file = added ? presentFile(added) : form && { ...presentShipped(form), ...shipped };
      if (!file) throw new NotFound({});
      if (file.etag) reply.header('etag', file.etag);
      return ok(file);
    },
  });
}

function registerWriting(app: App, catalogue: Catalogue, drafts: Drafts): void {
  route(app, {
    method: 'PUT',
    path: '/forms/:room/:name',
    access,
    summary: 'Saves a form. `If-Match` holds the entity tag of the text that was read before; a new form has none.',
    tag,
    params: nameParams,
    body: Type.Object({ text, note }, { additionalProperties: false }),
    bodyLimit: SAVE_LIMIT,
    async handler({ actor, origin, params, body, request, reply }): Promise<Answer> {
      const over = hashIn(request.headers['if-match']);
      const saving = { id: idOf(params), text: body.text, over, note: body.note ?? '', action: 'forms.save' } as const;
      const saved = presentFile(await catalogue.save({ actor, origin }, saving));
      if (saved.etag) reply.header('etag', saved.etag);
      return ok(saved);
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/forms/:room/:name',
    access,
    summary: 'Takes an added form out of use; its versions stay. `If-Match` as for saving.',
    tag,
    params: nameParams,
    async handler({ actor, origin, params, request }) {
      await catalogue.remove({ actor, origin }, { id: idOf(params), over: hashIn(request.headers['if-match']) });
      return ok();
    },
  });
  route(app, {
    method: 'POST',
    path: '/forms/check',
    access,
    summary:
      'Judges the text of a form without saving it: findings, warnings that keep nobody from saving it, what it refuses of what the version in use takes, the form with what may be left out, its documentation, and the hash that names its compiled code for some minutes.',
    tag,
    body: Type.Object({ id: Type.Optional(Type.String({ maxLength: 129 })), text }, { additionalProperties: false }),
    bodyLimit: SAVE_LIMIT,
    async handler({ ctx, body }) {
      const id = body.id ?? idInText(body.text);
      const added = catalogue.find(id);
      const inspection = await catalogue.check(id, body.text, !added && readShipped(id)?.text === body.text);
      const { findings, form } = inspection;
      // The number that saving would give it.
      const number = (added?.usable?.version.number ?? 0) + 1;
      const draft = inspection.isUsable ? usableFrom(inspection, { number }) : undefined;
      if (draft) drafts.keep(draft);
      const breaks = form && added?.usable ? breaksOf(added.usable.form, form) : [];
      const warnings = inspection.isUsable ? warningsOf(inspection.form, body.text, ctx.config.webhooks.keys()) : [];
      return ok({
        findings,
        warnings,
        breaks,
        form: form ?? null,
        documentation: form ? describeForm(form) : null,
        hash: draft?.hash ?? null,
      });
    },
  });
}

/** Registers what administrators read and write: forms as files. */
export function registerFiles(app: App, catalogue: Catalogue, drafts: Drafts): void {
  registerReading(app, catalogue);
  registerWriting(app, catalogue, drafts);
}
