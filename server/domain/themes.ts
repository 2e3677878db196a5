import type { CurrentUser } from '../../schemas/_generated/contract.ts';
import type { Db } from '../db/schema.ts';

/** The theme of a top-level company; null where it has the default. Pictures are addresses. */
export type Theme = NonNullable<CurrentUser['theme']>;

/** What is kept of a theme beside its pictures. */
export type Branding = Omit<Theme, 'favicon' | 'logo_vector' | 'branded_devices'>;

/** What the kind of a picture of a device model begins with; the model follows. */
export const MODEL_PICTURE = 'model:';

/** The default theme. */
export const DEFAULT_BRANDING: Branding = {
  app_name: null,
  short_name: null,
  full_app_name: null,
  company_name: null,
  title_text: null,
  logo_subtext: null,
  main_color: null,
  dark_mode_text_color: null,
  branded_device_series: [],
  disabled_routes: [],
  default: false,
  show_data: true,
  show_payment: false,
  buy_link: null,
  buy_notice: null,
};

/** The branding that a row holds. */
export function readBranding(text: string): Branding {
  // Written by this server only, after the form's rules.
  return { ...DEFAULT_BRANDING, ...(JSON.parse(text) as Partial<Branding>) };
}

function pictureAddress(key: string): string {
  return `/api/theme-pictures/${key}`;
}

/** The theme of a company that has no parent; undefined when it has none. */
export async function findTheme(db: Db, companyId: number): Promise<Theme | undefined> {
  const row = await db.selectFrom('themes').select('branding').where('company_id', '=', companyId).executeTakeFirst();
  if (!row) return undefined;
  const pictures = await db
    .selectFrom('theme_pictures')
    .select(['kind', 'key'])
    .where('company_id', '=', companyId)
    .orderBy('kind')
    .execute();
  const addressOf = (kind: string): string | null => {
    const picture = pictures.find((entry) => entry.kind === kind);
    return picture ? pictureAddress(picture.key) : null;
  };
  const models = pictures.filter(({ kind }) => kind.startsWith(MODEL_PICTURE));
  return {
    ...readBranding(row.branding),
    favicon: addressOf('favicon'),
    logo_vector: addressOf('logo_vector'),
    branded_devices: models.map(({ kind, key }) => ({
      original_model: kind.slice(MODEL_PICTURE.length),
      branded_model_image: pictureAddress(key),
    })),
  };
}

/** The theme of a host name, as the request gives it (without a port); undefined when no company has it. */
export async function findHostTheme(db: Db, host: string): Promise<Theme | undefined> {
  const row = await db.selectFrom('themes').select('company_id').where('host_name', '=', host.toLowerCase()).executeTakeFirst();
  return row && findTheme(db, row.company_id);
}
