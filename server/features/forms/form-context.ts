import { resources } from '../../../resources.config.ts';
import { permissionNames } from '../../../schemas/_generated/contract.ts';
import { loadMeta } from '../../../schemas/kit/codegen/load.ts';
import { readTextKeys } from '../../../schemas/kit/codegen/load-texts.ts';
import type { RouteInfo } from '../../kernel/route.ts';
import { shippedContract } from '../../kernel/shipped-contract.ts';
import type { FormContext } from './inspect.ts';

/** What this installation judges form files by. `routes`: the calls of the API; without them that a call exists is not checked. */
export function readFormContext(routes?: readonly RouteInfo[]): FormContext {
  const contract = shippedContract();
  return {
    meta: loadMeta(),
    texts: readTextKeys() ?? new Set(),
    resources: new Set(resources.map(({ name }) => name)),
    permissions: new Set(permissionNames),
    lookups: new Set(Object.keys(contract.lookups.lookups)),
    help: new Set(Object.keys(contract.help.help)),
    shipped: new Set(Object.keys(contract.forms)),
    ...(routes ? { routes: new Set(routes.map(callOf)) } : {}),
  };
}

/** `POST /api/tags/:id` as form files write it: `POST /tags/{id}`. */
function callOf({ method, path }: RouteInfo): string {
  return `${method} ${path.replace(/^\/api/, '').replaceAll(/:(\w+)/g, '{$1}')}`;
}
