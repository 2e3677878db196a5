import type { Millis } from './column-types.ts';

interface ThemesTable {
  /** A top-level company. */
  company_id: number;
  /** Lower case, without a port; anyone who comes to it sees this theme before signing in. */
  host_name: string | null;
  /** JSON of `Branding`, see domain/themes.ts. */
  branding: string;
  updated_at: Millis;
}

interface ThemePicturesTable {
  /** Names this very picture in its address. */
  key: string;
  company_id: number;
  kind: 'favicon' | 'logo_vector' | `model:${string}`;
  /** `image/svg+xml`, `image/png` or `image/x-icon`. */
  type: string;
  /** base64 */
  bytes: string;
}

export interface ThemeTables {
  themes: ThemesTable;
  theme_pictures: ThemePicturesTable;
}
