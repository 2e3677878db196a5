import { Type as TypeBox } from 'typebox';
import { expect, test } from 'vitest';
import { Type } from './type.ts';

test('schemas are the same as those of TypeBox', () => {
  const make = (builder: typeof Type) =>
    builder.Object(
      {
        name: builder.String({ minLength: 1, pattern: '^a' }),
        count: builder.Optional(builder.Integer({ minimum: 0 })),
        flags: builder.Array(builder.Boolean(), { maxItems: 3 }),
        value: builder.Unknown(),
        more: builder.Optional(builder.Object({ id: builder.Integer() }, { additionalProperties: false })),
        raw: builder.Unsafe<string>({ type: 'string', format: 'email' }),
      },
      { additionalProperties: false },
    );
  expect(JSON.parse(JSON.stringify(make(Type)))).toEqual(JSON.parse(JSON.stringify(make(TypeBox))));
});
