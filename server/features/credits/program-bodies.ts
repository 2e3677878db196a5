import type { Actor } from '../../kernel/actor.ts';
import { can } from '../../kernel/actor.ts';
import { InvalidFields } from '../../kernel/errors.ts';

type Body = Record<string, unknown>;

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const flagOf = (value: unknown): unknown => (value === 0 || value === 1 ? value === 1 : value);

/** What of a credit is meant for one device: flags as 0 and 1 are taken too, and a credit that is switched off has no type. */
function readCredit(item: Body): Body {
  const { credit_enabled, auto_extend_credit, credit_type_id, ...rest } = item;
  const isEnabled = flagOf(credit_enabled);
  const isExtended = flagOf(auto_extend_credit);
  return {
    ...rest,
    ...(credit_enabled === undefined ? {} : { credit_enabled: isEnabled }),
    ...(isEnabled === false || credit_type_id === undefined ? {} : { credit_type_id }),
    ...(isEnabled === false || auto_extend_credit === undefined ? {} : { auto_extend_credit: isExtended }),
  };
}

/** `{ data: [{ device_id, … }] }` of the public API as one credit for all its devices. Throws INVALID_FIELD at `data` for devices that are to have different ones. */
export function readDeviceCredits(body: unknown): unknown {
  if (!isBody(body)) return body;
  const { data } = body;
  if (!Array.isArray(data) || data.length === 0 || Object.keys(body).length > 1 || !data.every(isBody)) return readCredit(body);
  const items = data.map(readCredit);
  const credits = items.map(({ device_id: _device, ...credit }) => credit);
  const [credit = {}] = credits;
  if (
    new Set(
      credits.map(({ credit_enabled, credit_type_id, auto_extend_credit, ...rest }) =>
        JSON.stringify([credit_enabled, credit_type_id, auto_extend_credit, rest]),
      ),
    ).size > 1
  )
    throw new InvalidFields([{ source: 'data', message: 'Send devices that are to have different credits in calls of their own.' }]);
  return { ...credit, device_id: [...new Set(items.map(({ device_id }) => device_id))] };
}

/** A code is made of credits of the own company where programs name none, or that one, whatever their role. */
export function readNewCode(body: unknown, actor: Actor): unknown {
  if (!isBody(body)) return body;
  const { company_id = actor.companyId, ...rest } = body;
  if (can(actor, 'super_admin')) return { ...rest, company_id };
  return company_id === actor.companyId ? rest : body;
}

/** Credits are moved from and to the own company where programs name no other. */
export function readMove(body: unknown, actor: Actor): unknown {
  return isBody(body) ? { source: actor.companyId, target: actor.companyId, ...body } : body;
}
