import { loadContract } from '../../schemas/kit/codegen/load.ts';
import type { Contract } from '../../schemas/kit/form/types.ts';

let contract: Contract | undefined;

/** The contract that ships with this server. Its files are read once: they change with the version only. Not to be changed by who reads it. */
export function shippedContract(): Contract {
  contract ??= loadContract();
  return contract;
}
