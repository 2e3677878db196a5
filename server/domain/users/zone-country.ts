/** Node has it, the types of the language do not yet. */
interface LocaleWithZones extends Intl.Locale {
  getTimeZones?(): string[] | undefined;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

let countries: ReadonlyMap<string, string> | undefined;

/** Time zones by the name that this Node gives them, with the country that each is in; some 30 ms, once. */
function readCountries(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
    const locale: LocaleWithZones = new Intl.Locale(`und-${code}`);
    // Codes of former countries (YU) become those of today, which have their own turn.
    if (locale.region === code) for (const zone of locale.getTimeZones?.() ?? []) found.set(zone, code);
  }
  return found;
}

/** The country of a time zone as two letters (ISO 3166-1 alpha-2): `Europe/Oslo` → `NO`; null for zones of no country (`UTC`) and for what is no zone. */
export function countryOfZone(zone: string): string | null {
  let name: string;
  try {
    name = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
  countries ??= readCountries();
  return countries.get(name) ?? null;
}
