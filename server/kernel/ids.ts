import { Type } from './type.ts';

/** The path parameter `:id`. */
export const idParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
