import eventsFile from '../../../schemas/events.json' with { type: 'json' };
import { permissionNames, type PermissionName } from '../../../schemas/_generated/contract.ts';
import type { EventsFile } from '../../../schemas/kit/form/types.ts';
import type { Context } from '../../context.ts';
import { can, personOf, type Actor } from '../actor.ts';
import { isProgram } from '../lenient-calls.ts';
import { hasJobInScope } from '../job-scope.ts';
import { isVisible, seesCompany } from '../tenancy.ts';

const contract = eventsFile as EventsFile;

/** A channel of schemas/events.json with its number: `companies.7.devices` → template, `companies`, 7, `devices`; `forms` and `announcements` have none. */
export interface Channel {
  name: string;
  template: string;
  /** The first word. */
  subject: string;
  /** 0 for a channel without a number. */
  id: number;
  /** The last word, when there is one after the number. */
  kind: string;
  permission: PermissionName | 'public';
}

/**
 * Whose events of a channel a follower gets. `own`: things of exactly this company · `tree`: of it and all below ·
 * `all`: of every company, for administrators of the whole installation on their own company's channel.
 */
export type Audience = 'own' | 'tree' | 'all';

function permissionOf(name: string, template: string): PermissionName | 'public' {
  if (name === 'public') return name;
  const known = permissionNames.find((permission) => permission === name);
  if (!known) throw new Error(`events.json: channel "${template}" names the unknown permission "${name}"`);
  return known;
}

const patterns = Object.entries(contract.channels).map(([template, entry]) => ({
  template,
  permission: permissionOf(entry.permission, template),
  // `jobs.{id}` → /^jobs\.([1-9]\d{0,14})$/
  pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/, '([1-9]\\d{0,14})')}$`),
}));

/** The channel that a client names; undefined for anything that is not exactly one of the contract's channels. */
export function parseChannel(name: unknown): Channel | undefined {
  if (typeof name !== 'string' || name.length > 100) return undefined;
  for (const { template, permission, pattern } of patterns) {
    const match = pattern.exec(name);
    if (!match) continue;
    const parts = template.split('.');
    return { name, template, permission, id: Number(match[1] ?? 0), subject: parts[0] ?? '', kind: parts[2] ?? '' };
  }
  return undefined;
}

async function audienceOfCompany(ctx: Context, actor: Actor, id: number): Promise<Audience | undefined> {
  const company = await ctx.reads.selectFrom('companies').select(['id', 'path']).where('id', '=', id).executeTakeFirst();
  if (!company || !seesCompany(actor, company)) return undefined;
  if (actor.scope === 'company') return 'own';
  return actor.scope === 'all' && id === actor.companyId ? 'all' : 'tree';
}

/** The audience in which the actor may follow the channel; undefined when it may not, or when there is no such thing. */
export async function audienceFor(ctx: Context, actor: Actor, channel: Channel): Promise<Audience | undefined> {
  // What has no permission is for people: a token has its scopes and nothing else.
  if (isProgram(actor) && channel.permission === 'public') return undefined;
  if (channel.subject === 'private-notifications') return channel.id === personOf(actor) ? 'own' : undefined;
  if (channel.subject === 'forms' || channel.subject === 'announcements') return 'own';
  if (channel.permission === 'public' || !can(actor, channel.permission)) return undefined;
  if (channel.subject === 'companies') return audienceOfCompany(ctx, actor, channel.id);
  if (channel.subject === 'jobs') return (await hasJobInScope(ctx, actor, channel.id)) ? 'own' : undefined;
  const device = await ctx.reads
    .selectFrom('devices')
    .select('id')
    .where('id', '=', channel.id)
    .where(isVisible(actor, 'devices'))
    .executeTakeFirst();
  return device ? 'own' : undefined;
}

/** Clients send the name itself, or `{ channel }`. */
export function channelNameOf(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.hasOwn(given, 'channel') && 'channel' in given ? given.channel : undefined;
}
