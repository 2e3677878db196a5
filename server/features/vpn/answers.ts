import { created, ok, type Answer } from '../../kernel/answer.ts';
import { Type } from '../../kernel/type.ts';

export const viewing = { permission: 'view_vpn_hubs' } as const;
export const changing = { permission: 'update_vpn_hubs' } as const;
export const tag = 'vpn';
export const recordId = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Where programs follow what became of a call about a hub. */
export const channelOf = (hubId: number, part = 'change'): string => `vpn-hubs.${hubId}.${part}`;

/** A change of a hub that is made: whether its machine has it in force is on the channel. */
export const changed = (hubId: number): Answer => ok(undefined, { channel: channelOf(hubId) });

export const made = (id: number, hubId: number): Answer => created({ id }, { id, channel: channelOf(hubId) });
