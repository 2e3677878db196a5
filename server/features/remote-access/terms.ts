import type { Context } from '../../context.ts';
import { deviceDataLeft } from '../../domain/data-left.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { findEntry, findOpenLink } from '../../domain/remote/begin-session.ts';
import { findConsent } from '../../domain/remote/consent.ts';
import { LinkInvalid } from '../../domain/remote/errors.ts';
import { requirePermission, type Actor } from '../../kernel/actor.ts';
import { SessionRequired } from '../../kernel/auth/errors.ts';
import { NotFound } from '../../kernel/errors.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import { requireCompany } from '../../kernel/tenancy.ts';

/** What somebody wants to connect to: an entry, one that was shared with them, or a device itself. */
export interface TermsTarget {
  entry?: number | undefined;
  link?: number | undefined;
  device?: number | undefined;
}

interface TermsDevice {
  id: number;
  name: string;
  company_id: number;
}

/** The device that is asked about. Throws NOT_FOUND, FORBIDDEN, SESSION_REQUIRED, REMOTE_LINK_INVALID. */
export async function findTarget(
  ctx: Context,
  actor: Actor,
  { entry, link, device }: TermsTarget,
): Promise<{ device: TermsDevice; companyPath: string }> {
  if (link !== undefined) {
    // What was shared with a person is reached by no scope.
    if (isProgram(actor)) throw new SessionRequired({});
    const found = await findOpenLink(ctx, link);
    if (!found || found.email.toLowerCase() !== actor.email.toLowerCase()) throw new LinkInvalid({});
    return findEntry(ctx.reads, undefined, found.entry_id);
  }
  if (entry === undefined && device === undefined) throw new NotFound({});
  requirePermission(actor, 'execute_device_remote_access');
  if (entry !== undefined) return findEntry(ctx.reads, actor, entry);
  const found = await requireDevice(ctx.reads, actor, device ?? 0);
  const { path } = await requireCompany(ctx.reads, actor, found.company_id);
  return { device: found, companyPath: path };
}

/** What a session to a device will use, said before it begins (bytes of the device's own data pack, then those of its company), and whose consent it waits for. Throws NOT_FOUND, FORBIDDEN, REMOTE_LINK_INVALID. */
export async function readTerms(ctx: Context, actor: Actor, given: TermsTarget) {
  const { device, companyPath } = await findTarget(ctx, actor, given);
  const company = await ctx.reads
    .selectFrom('companies')
    .select('companies.name')
    .where('companies.id', '=', device.company_id)
    .executeTakeFirstOrThrow();
  const left = ctx.config.hasResources ? await deviceDataLeft(ctx.reads, device, ctx.clock.now()) : undefined;
  const consent = await findConsent(ctx, ctx.reads, actor, { device, companyPath });
  return {
    device_id: device.id,
    device_name: device.name,
    company_name: company.name,
    consent: consent.state,
    cost: left ? { pack_bytes: left.pack ?? null, company_bytes: left.company } : null,
  };
}
