import { Type, type TSchema } from '../../kernel/type.ts';
import { enforcedSchema } from '../../../schemas/kit/form/enforced-schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { ok, partial, type Answer } from '../../kernel/answer.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { loadForm } from '../../kernel/forms.ts';
import { requireUpload } from '../../kernel/http/uploads.ts';
import { resolveSelection } from '../../domain/jobs/selection.ts';
import { route, type App, type Call } from '../../kernel/route.ts';
import type { DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import { readTagCsv } from './read-tag-csv.ts';
import { changeTagsByCsv } from './tag-csv.ts';
import { changeTags, type TagMode, type TagRequest } from './tag-changes.ts';

const MAX_ITEMS = 10_000;
const MAX_TAGS = 50;
const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

/** `{ data: [{ device_id, tag_id[] }] }`: tags for each device by itself. */
function perDeviceSchema(minTags: number) {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['data'],
    properties: {
      data: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_ITEMS,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['device_id', 'tag_id'],
          properties: { device_id: id, tag_id: { type: 'array', minItems: minTags, maxItems: MAX_TAGS, uniqueItems: true, items: id } },
        },
      },
    },
  };
}

/** Both bodies: the form's, or one with `data`. */
function bodyOf(form: object, mode: TagMode): TSchema {
  const minTags = mode === 'overwrite' ? 0 : 1;
  return Type.Unsafe<unknown>({ if: { type: 'object', required: ['data'] }, then: perDeviceSchema(minTags), else: form });
}

type TagCall = Call<unknown, unknown, TagBody> & { actor: Actor };
type TagBody = { data: { device_id: number; tag_id: number[] }[] } | (DevicesBody & { tag_id: number[] });

/** Devices with the same tags go together; a device that is named twice keeps its last tags. */
function groupByTags(data: { device_id: number; tag_id: number[] }[]): TagRequest[] {
  const places = new Map(data.map((item, index) => [item.device_id, { tags: item.tag_id, index }]));
  const groups = Map.groupBy(places, ([, { tags }]) => tags.toSorted((a, b) => a - b).join());
  return [...groups.values()].map((group) => {
    const [first] = group;
    const place = `data.${first?.[1].index ?? 0}`;
    return {
      deviceIds: group.map(([deviceId]) => deviceId),
      tagIds: first?.[1].tags ?? [],
      source: { devices: `${place}.device_id`, tags: `${place}.tag_id` },
    };
  });
}

async function answer(mode: TagMode, { ctx, actor, origin, body }: TagCall): Promise<Answer> {
  if ('data' in body) return ok({ changed: await changeTags(ctx, { actor, origin }, mode, groupByTags(body.data)) });
  const { ids, seen } = await resolveSelection(ctx, actor, body);
  const source = { devices: 'device_id', tags: 'tag_id' };
  const changed = await changeTags(ctx, { actor, origin }, mode, [{ deviceIds: ids, tagIds: body.tag_id, source }]);
  return ok({ changed }, seen === null ? { count: ids.length } : { count: ids.length, seen });
}

/** Registers assigning, unassigning and overwriting tags of devices. */
export function registerDeviceTags(app: App): void {
  const access = { permission: 'update_tags' } as const;
  const forms = {
    assign: enforcedSchema(loadForm('devices/assign-tags')),
    unassign: enforcedSchema(loadForm('devices/unassign-tags')),
    overwrite: enforcedSchema(loadForm('devices/overwrite-tags')),
  };
  const summaries = {
    assign: 'Puts tags on devices.',
    unassign: 'Takes tags off devices.',
    overwrite: 'Makes tags the only ones of devices.',
  };
  for (const mode of ['assign', 'unassign', 'overwrite'] as const) {
    route(app, {
      method: 'PUT',
      path: `/devices/tags/${mode}`,
      access,
      summary: summaries[mode],
      tag: 'devices',
      body: bodyOf(forms[mode], mode),
      handler: (call) => answer(mode, call as TagCall),
    });
  }
  formRoute(app, 'devices/tags-csv', async ({ ctx, actor, origin, body, request }) => {
    const { first_parameter: identifier, mode = 'assign', tag_id: tagIds = [] } = body;
    const lines = await readTagCsv(requireUpload(request, 'file', body.file), identifier);
    const { deviceIds, changed, faults } = await changeTagsByCsv(ctx, { actor, origin }, { lines, identifier, mode, tagIds });
    const meta = { lines: lines.length, changed };
    return faults.length === 0 ? ok(deviceIds, meta) : partial(deviceIds, faults, meta);
  });
}
