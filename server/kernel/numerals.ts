import type { ObjectSchema } from '../../schemas/kit/form/enforced-schema.ts';

/** The rules as the API description has them, where programs may send these texts of digits as numbers. */
export function withNumerals(schema: ObjectSchema, names: readonly string[]): ObjectSchema {
  const widened = names.map((name) => [name, { ...schema.properties[name], type: ['string', 'integer'] }]);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(widened) } };
}

/** Puts the digits of a number in its place in a body that has just been read, so that it is judged and used as the text would be. */
export function numeralsToText(body: unknown, names: readonly string[]): void {
  if (typeof body !== 'object' || body === null) return;
  for (const name of names) {
    const value: unknown = Reflect.get(body, name);
    if (typeof value === 'number') Reflect.set(body, name, String(value));
  }
}
