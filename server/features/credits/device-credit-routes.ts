import { sql } from 'kysely';
import type { DeviceCredit, FormData } from '../../../schemas/_generated/contract.ts';
import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../kernel/actor.ts';
import { applyListQuery, byText, containsText, integers, isOneOf, type ListColumns } from '../../kernel/apply-list-query.ts';
import { ok } from '../../kernel/answer.ts';
import { wireTime } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { requireDevice } from '../../domain/devices/require-device.ts';
import { formRoute } from '../../kernel/form-route.ts';
import { answerJobRequest, type DevicesBody } from '../../domain/jobs/answer-job-request.ts';
import type { JobKind } from '../../domain/jobs/types.ts';
import type { ListQuery } from '../../kernel/list-query.ts';
import { listRoute } from '../../kernel/list-route.ts';
import { listRulesOf } from '../../kernel/resources.ts';
import type { App } from '../../kernel/route.ts';
import { isVisible } from '../../kernel/tenancy.ts';
import { assignAnyCredit, assignCredit, moveDeviceCredits, withdrawCredits } from './device-credits.ts';
import { lockLedger } from './ledger.ts';
import { readDeviceCredits } from './program-bodies.ts';
import { getCreditType, paymentOf } from './types.ts';

interface CreditInput {
  /** `any`: of whatever type there is one of. */
  typeId: number | 'any' | undefined;
  isExtended: boolean;
}

/** Gives devices a credit each, or takes it away; a device that there is no credit for fails by itself. */
const creditKind: JobKind<CreditInput> = {
  name: 'credit',
  permission: 'update_device_credit_status',
  skipReason: () => undefined,
  runs: {
    on: 'server',
    async run(trx, { ctx, actor, origin, input, devices }) {
      // Only this kind makes its input.
      const { typeId, isExtended } = input as CreditInput;
      await lockLedger(trx, ctx.database);
      const at = ctx.clock.now();
      for (const device of devices) {
        const change = { trx, at, caller: { actor, origin }, device };
        if (typeId === undefined) await withdrawCredits(change);
        else if (typeId === 'any') await assignAnyCredit(change, isExtended);
        else await assignCredit(change, typeId, isExtended);
      }
    },
  },
};

const isData = sql<number>`case when device_credits.service = 'data' then 1 else 0 end`;
/** A device has one record for each service. */
const id = sql<number>`device_credits.device_id * 2 + ${isData}`;

const columns: ListColumns = {
  id,
  sorts: {
    device_name: { by: sql.ref('devices.name_key') },
    company_name: byText('companies.name'),
    state: { by: sql.ref('device_credits.state') },
    expire_at: { by: sql.ref('device_credits.ends_at'), isNullable: true },
  },
  filters: {
    company_id: (values) => isOneOf(sql.ref('devices.company_id'), integers(values)),
    device_id: (values) => isOneOf(sql.ref('devices.id'), integers(values)),
    state: (values) => isOneOf(sql.ref('device_credits.state'), values),
    auto_extend_credit: (values) =>
      isOneOf(
        sql.ref('device_credits.auto_extend'),
        values.map((value) => (value === '1' || value === 'true' ? 1 : 0)),
      ),
  },
  search: (text) => containsText([sql.ref('devices.name'), sql.ref('devices.serial')], text),
};

async function listDeviceCredits(db: Db, actor: Actor, query: ListQuery): Promise<{ rows: DeviceCredit[]; total: number }> {
  const base = db
    .selectFrom('device_credits')
    .innerJoin('devices', 'devices.id', 'device_credits.device_id')
    .innerJoin('companies', 'companies.id', 'devices.company_id')
    .selectAll('device_credits')
    .select([id.as('id'), 'devices.name', 'devices.serial', 'devices.company_id as owner_id', 'companies.name as company_name'])
    .where(isVisible(actor, 'devices'));
  const { rows, total } = await applyListQuery(base, query, columns);
  return {
    total,
    rows: rows.map((row) => {
      const type = getCreditType(row.credit_type_id);
      return {
        id: row.id,
        device_id: row.device_id,
        device_name: row.name,
        serial: row.serial,
        company_id: row.owner_id,
        company_name: row.company_name,
        credit_type_id: type.id,
        credit_type: paymentOf(type, actor),
        credit_type_name: type.kind,
        state: row.state,
        auto_extend_credit: row.auto_extend === 1,
        starts_at: wireTime(row.starts_at),
        expire_at: wireTime(row.ends_at),
      };
    }),
  };
}

/** Registers what devices use of the credits. */
export function registerDeviceCredits(app: App): void {
  app.ctx.jobs.register(creditKind);
  formRoute(
    app,
    'devices/credit',
    (call) => {
      const body: FormData['devices/credit'] & DevicesBody = call.body;
      const input: CreditInput = {
        typeId: body.credit_enabled ? body.credit_type_id : undefined,
        isExtended: body.auto_extend_credit === true,
      };
      return answerJobRequest({ ...call, body }, { kind: creditKind.name, input });
    },
    { programs: { status: 201, translate: readDeviceCredits } },
  );
  formRoute(app, 'credits/move-device', async ({ ctx, actor, origin, body }) => {
    await inTransaction(ctx.db, async (trx) => {
      await lockLedger(trx, ctx.database);
      const device = await requireDevice(trx, actor, body.source_device_id, 'source_device_id');
      const target = await requireDevice(trx, actor, body.target_device_id, 'target_device_id');
      await moveDeviceCredits({ trx, at: ctx.clock.now(), caller: { actor, origin }, device }, target);
    });
    return ok();
  });
  listRoute(app, {
    path: '/credits/devices',
    access: { permission: 'view_credits' },
    summary: 'What devices use of the credits, and until when.',
    tag: 'credits',
    rules: listRulesOf('device-credits', { filters: { device_id: { kind: 'integer', isNegatable: false } } }),
    list: (ctx, actor, query) => listDeviceCredits(ctx.reads, actor, query),
  });
}
