import type { Context } from '../../context.ts';
import { can, personOf, type Actor } from '../../kernel/actor.ts';
import { findFactors } from '../../kernel/auth/second-factors.ts';
import { isVisible } from '../../kernel/tenancy.ts';

/** Whether each step of setting up is done; null where it is not the caller's to do. */
export interface FirstSteps {
  /** Devices and people elsewhere reach this server by its address. */
  address: boolean | null;
  mail: boolean | null;
  factor: boolean;
  device: boolean | null;
  colleague: boolean | null;
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/;

/** Whether an address leads only to the machine itself. */
export function isLoopback(url: string | undefined): boolean {
  return url === undefined || LOOPBACK.test(new URL(url).hostname);
}

async function hasDevice(ctx: Context, actor: Actor): Promise<boolean> {
  const found = await ctx.reads.selectFrom('devices').select('id').where(isVisible(actor, 'devices')).limit(1).executeTakeFirst();
  return found !== undefined;
}

async function hasColleague(ctx: Context, actor: Actor): Promise<boolean> {
  const member = await ctx.reads
    .selectFrom('memberships')
    .select('user_id')
    .where('user_id', '<>', personOf(actor))
    .where('user_id', 'not in', (eb) => eb.selectFrom('service_accounts').select('service_accounts.user_id'))
    .where(isVisible(actor, 'memberships'))
    .limit(1)
    .executeTakeFirst();
  if (member) return true;
  const invited = await ctx.reads.selectFrom('invitations').select('id').where(isVisible(actor, 'invitations')).limit(1).executeTakeFirst();
  return invited !== undefined;
}

/** The first steps of a new installation, as far as they are the caller's. */
export async function readFirstSteps(ctx: Context, actor: Actor): Promise<FirstSteps> {
  const runsServer = can(actor, 'super_admin');
  return {
    address: runsServer ? !isLoopback(ctx.config.publicUrl) : null,
    mail: runsServer ? ctx.config.smtpUrl !== undefined : null,
    factor: (await findFactors(ctx.reads, personOf(actor))) !== undefined,
    device: can(actor, 'create_devices') ? await hasDevice(ctx, actor) : null,
    colleague: can(actor, 'create_users') ? await hasColleague(ctx, actor) : null,
  };
}
