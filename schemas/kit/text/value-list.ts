/**
 * Values of a filter as one text: separated by commas; a comma that belongs to a value is written `\,`, and a backslash before a comma or another backslash
 * `\\`. Other backslashes are themselves, so that lists written without this rule mean what they did.
 */
export function joinValues(values: readonly unknown[]): string {
  return values.map((value) => String(value).replaceAll(/\\(?=\\|,|$)|,/g, String.raw`\$&`)).join(',');
}

// `Sprint\, Inc.,Telia`: `Sprint\, Inc.` and `Telia`
const VALUE = /(?:\\[\\,]|[^,])+/g;

/** The values of such a text, empty ones left out. */
export function splitValues(text: string): string[] {
  return (text.match(VALUE) ?? []).map((value) => value.replaceAll(/\\([\\,])/g, '$1'));
}
