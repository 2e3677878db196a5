import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { Context } from '../../context.ts';
import type { Db, Row } from '../../db/schema.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { can } from '../../kernel/actor.ts';
import { writeAudit } from '../../kernel/audit.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import type { Upload } from '../../kernel/http/uploads.ts';
import { requireCompany, topOf } from '../../kernel/tenancy.ts';
import { findTheme, DEFAULT_BRANDING, readBranding, type Branding, type Theme } from '../../domain/themes.ts';
import { refuseDuplicate } from '../../kernel/unique-conflicts.ts';
import { HostNameTaken, NotTopLevel } from './errors.ts';
import { readPicture, replacePicture } from './pictures.ts';
import { publishTheme } from './publish-theme.ts';

type Input = FormData['themes/edit'];
type Pictures = { favicon?: Upload; logo_vector?: Upload };

/** A company without a parent. Throws NOT_FOUND, NOT_TOP_LEVEL. */
export async function requireTop(db: Db, actor: Actor, companyId: number): Promise<Row<'companies'>> {
  const company = await requireCompany(db, actor, companyId);
  if (company.parent_id !== null) throw new NotTopLevel({});
  return company;
}

/** The theme that a company's people see, which is that of the company at its top; its host name for those who may change it. Throws NOT_FOUND. */
export async function getTheme(
  ctx: Pick<Context, 'reads'>,
  actor: Actor,
  companyId: number,
): Promise<Theme & { company_id: number; host_name?: string | null }> {
  const company = await requireCompany(ctx.reads, actor, companyId);
  const top = topOf(company.path);
  const theme = (await findTheme(ctx.reads, top)) ?? { ...DEFAULT_BRANDING, favicon: null, logo_vector: null, branded_devices: [] };
  const row = await ctx.reads.selectFrom('themes').select('host_name').where('company_id', '=', top).executeTakeFirst();
  return { ...theme, company_id: company.id, ...(can(actor, 'super_admin') ? { host_name: row?.host_name ?? null } : {}) };
}

function brandingOf(input: Input): Branding {
  const text = (value: string | undefined): string | null => (value === undefined || value.trim() === '' ? null : value.trim());
  return {
    app_name: text(input.app_name),
    short_name: text(input.short_name),
    full_app_name: text(input.full_app_name),
    company_name: text(input.company_name),
    title_text: text(input.title_text),
    logo_subtext: text(input.logo_subtext),
    main_color: text(input.main_color),
    dark_mode_text_color: text(input.dark_mode_text_color),
    branded_device_series: input.branded_device_series ?? [],
    disabled_routes: input.disabled_routes ?? [],
    default: input.default === true,
    show_data: input.show_data !== false,
    show_payment: input.show_payment === true,
    buy_link: text(input.buy_link),
    buy_notice: text(input.buy_notice),
  };
}

/** The parts of the console that a theme shows, as a text to compare. */
const partsOf = (branding: Partial<Branding> | null): string =>
  JSON.stringify([branding?.disabled_routes ?? [], branding?.show_data ?? true]);

/**
 * Sets the theme of a top-level company; what is left out of `input` goes back to how it comes, except a picture, which stays unless it is
 * dropped. Only system administrators give host names, so that nobody takes the address that others sign in at. Throws NOT_FOUND,
 * NOT_TOP_LEVEL, PICTURE_REFUSED at its field, HOST_NAME_TAKEN at `host_name`.
 */
export async function setTheme(ctx: Context, caller: Caller, companyId: number, input: Input, uploads: Pictures): Promise<void> {
  const { actor, origin } = caller;
  const favicon = uploads.favicon && (await readPicture('favicon', uploads.favicon));
  const logo = uploads.logo_vector && (await readPicture('logo_vector', uploads.logo_vector));
  const at = ctx.clock.now();
  const write = () =>
    inTransaction(ctx.db, async (trx) => {
      const company = await requireTop(trx, actor, companyId);
      const former = await trx.selectFrom('themes').selectAll().where('company_id', '=', company.id).executeTakeFirst();
      const before = former ? { ...readBranding(former.branding), host_name: former.host_name } : null;
      const branding = brandingOf(input);
      const hostName = can(actor, 'super_admin') ? input.host_name?.trim().toLowerCase() || null : (former?.host_name ?? null);
      const row = { host_name: hostName, branding: JSON.stringify(branding), updated_at: at };
      await trx
        .insertInto('themes')
        .values({ company_id: company.id, ...row })
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
        .execute();
      if (favicon || input.drop_favicon) await replacePicture(trx, company.id, 'favicon', favicon);
      if (logo || input.drop_logo_vector) await replacePicture(trx, company.id, 'logo_vector', logo);
      const after = { ...branding, host_name: hostName, new_favicon: favicon !== undefined, new_logo_vector: logo !== undefined };
      await writeAudit(trx, { actor, origin, at }, [
        { action: 'themes.edit', entity: 'theme', entityId: company.id, entityName: company.name, companyId: company.id, before, after },
      ]);
      await publishTheme(ctx, trx, { path: company.path, changedBy: actor.userId, hasOtherParts: partsOf(branding) !== partsOf(before) });
    });
  await refuseDuplicate(write, (cause) => new HostNameTaken({}, { source: 'host_name', cause }));
}
