import type { FormData } from '../../engine/form/prepare.ts';
import { heldFile } from '../../engine/form/files.ts';
import type { Theme } from '../../kernel/theme/index.ts';

export type PreviewTheme = Pick<
  Theme,
  'app_name' | 'short_name' | 'logo_subtext' | 'main_color' | 'dark_mode_text_color' | 'logo_vector'
> & {
  /** A sign that was chosen and is not sent yet. */
  newSign: File | undefined;
};

/** What is entered, as far as the preview shows it; the sign is the chosen one, else the kept one. */
export function previewTheme(data: FormData, record: FormData | undefined): PreviewTheme {
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const token = text(data['logo_vector']);
  return {
    app_name: text(data['app_name']),
    short_name: text(data['short_name']),
    logo_subtext: text(data['logo_subtext']),
    main_color: text(data['main_color']),
    dark_mode_text_color: text(data['dark_mode_text_color']),
    logo_vector: data['drop_logo_vector'] === true ? null : text(record?.['logo_vector']),
    newSign: token === null ? undefined : heldFile(token),
  };
}
