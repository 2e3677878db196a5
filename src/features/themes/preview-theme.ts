import type { FormData } from '../../engine/form/prepare.ts';
import { heldFile } from '../../engine/form/files.ts';
import type { Theme } from '../../kernel/theme/index.ts';

export type PreviewTheme = Pick<
  Theme,
  | 'app_name'
  | 'short_name'
  | 'full_app_name'
  | 'company_name'
  | 'title_text'
  | 'logo_subtext'
  | 'main_color'
  | 'dark_mode_text_color'
  | 'logo_vector'
  | 'favicon'
> & {
  /** Pictures that were chosen and are not sent yet. */
  newSign: File | undefined;
  newIcon: File | undefined;
};

/** What is entered, as far as the preview shows it; pictures are the chosen ones, else the kept ones. */
export function previewTheme(data: FormData, record: FormData | undefined): PreviewTheme {
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const kept = (picture: string): string | null => (data[`drop_${picture}`] === true ? null : text(record?.[picture]));
  const chosen = (picture: string): File | undefined => {
    const token = text(data[picture]);
    return token === null ? undefined : heldFile(token);
  };
  return {
    app_name: text(data['app_name']),
    short_name: text(data['short_name']),
    full_app_name: text(data['full_app_name']),
    company_name: text(data['company_name']),
    title_text: text(data['title_text']),
    logo_subtext: text(data['logo_subtext']),
    main_color: text(data['main_color']),
    dark_mode_text_color: text(data['dark_mode_text_color']),
    logo_vector: kept('logo_vector'),
    favicon: kept('favicon'),
    newSign: chosen('logo_vector'),
    newIcon: chosen('favicon'),
  };
}
