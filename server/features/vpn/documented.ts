import type { VpnHub } from '../../../schemas/_generated/contract.ts';
import { findTagDetails } from '../../domain/tags/tag-actions.ts';
import type { ListSpec } from '../../kernel/route.ts';

/** Hubs as programs of the public API read them: their tags with what is documented of those. */
export const documentedHubs: NonNullable<ListSpec<VpnHub>['documented']> = {
  fields: [],
  types: {
    tags: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'name', 'color', 'company_id', 'description', 'created_at', 'updated_at'],
        properties: {
          ...{ id: { type: 'integer' }, name: { type: 'string' }, color: { type: ['string', 'null'] } },
          ...{ company_id: { type: 'integer' }, description: { type: ['string', 'null'] } },
          ...{ created_at: { type: 'string', format: 'timestamp' }, updated_at: { type: 'string', format: 'timestamp' } },
        },
      },
    },
  },
  async extend(ctx, actor, hubs) {
    const ids = [...new Set(hubs.flatMap(({ tags }) => tags.map(({ id }) => id)))];
    const details = await findTagDetails(ctx.reads, actor, ids);
    return hubs.map((hub) => ({ ...hub, tags: hub.tags.map((tag) => ({ ...tag, ...details.get(tag.id) })) }));
  },
};
