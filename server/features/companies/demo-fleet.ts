import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fleet } from '../../../agent/fleet/fleet.ts';
import type { Context } from '../../context.ts';
import { hashEnrolmentCode, makeEnrolmentCode } from '../../domain/devices/enrolment-code.ts';
import type { Actor, Caller } from '../../kernel/actor.ts';
import { ok } from '../../kernel/answer.ts';
import { HOUR } from '../../kernel/clock.ts';
import { inTransaction } from '../../kernel/db/database.ts';
import { route, type App } from '../../kernel/route.ts';
import { requireCompany } from '../../kernel/tenancy.ts';
import { purgeCompany } from './purge.ts';
import { removeCompany } from './remove.ts';
import { createCompany } from './service.ts';

const DEVICES = 12;
const CODE_HOURS = 24;
const NAME = 'Demo fleet';
const HINT_LENGTH = 4;

const access = { permission: 'super_admin' } as const;

/**
 * Registers the demo fleet: a company with simulated devices that this process runs over the real device protocol, until they are removed. Which
 * company it is, and the credentials of the devices, are in files of `DATA_DIR`, so that the fleet comes back with the server.
 */
export function registerDemoFleet(app: App): void {
  const { ctx, fastify } = app;
  const stateFile = join(ctx.config.dataDir, 'demo-fleet.json');
  const companyFile = join(ctx.config.dataDir, 'demo-fleet-company.json');
  let running: Promise<Fleet | undefined> | undefined;

  /** Starts the simulated devices beside the server's other work; a server without a port of its own has none. */
  function run(code?: string): void {
    if (!fastify.server.listening) return;
    running = startSimulated(ctx, { url: fastify.listeningOrigin, state: stateFile, code });
  }

  async function stop(): Promise<void> {
    const fleet = await running;
    running = undefined;
    await fleet?.stop();
  }

  fastify.addHook('onListen', async () => {
    if (readCompanyId(companyFile) !== undefined && existsSync(stateFile)) run();
  });
  fastify.addHook('preClose', stop);

  route(app, {
    method: 'GET',
    path: '/demo-fleet',
    access,
    summary: 'The company with the simulated devices of the demo fleet; null while there is none.',
    tag: 'companies',
    handler: async ({ actor }) => ok({ company_id: await findCompany(ctx, actor, readCompanyId(companyFile)), devices: DEVICES }),
  });
  route(app, {
    method: 'POST',
    path: '/demo-fleet',
    access,
    summary: 'Adds a company with simulated devices, to try the console with.',
    tag: 'companies',
    async handler({ actor, origin }) {
      const present = await findCompany(ctx, actor, readCompanyId(companyFile));
      if (present !== null) return ok({ company_id: present, devices: DEVICES });
      await stop();
      await rm(stateFile, { force: true });
      const { companyId, code } = await addCompany(ctx, { actor, origin });
      await writeFile(companyFile, JSON.stringify({ company_id: companyId }), { mode: 0o600 });
      run(code);
      return ok({ company_id: companyId, devices: DEVICES });
    },
  });
  route(app, {
    method: 'DELETE',
    path: '/demo-fleet',
    access,
    summary: 'Stops the simulated devices and deletes them with their company for good.',
    tag: 'companies',
    async handler({ actor, origin }) {
      await stop();
      const companyId = await findCompany(ctx, actor, readCompanyId(companyFile));
      if (companyId !== null) {
        await removeCompany(ctx, { actor, origin }, companyId, {});
        await purgeCompany(ctx, companyId, ctx.clock.now());
      }
      await rm(companyFile, { force: true });
      await rm(stateFile, { force: true });
      return ok();
    },
  });
}

async function startSimulated(ctx: Context, fleet: { url: string; state: string; code?: string }): Promise<Fleet | undefined> {
  const { code, ...place } = fleet;
  try {
    // A server without a demo fleet does not load it.
    const { startFleet } = await import('../../../agent/fleet/fleet.ts');
    return await startFleet({ ...place, codes: code === undefined ? [] : [{ code }], devices: DEVICES, moods: 'good' });
  } catch (error) {
    ctx.log.error({ err: error }, 'the demo fleet did not start');
    return undefined;
  }
}

function readCompanyId(file: string): number | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const id = typeof kept === 'object' && kept !== null && 'company_id' in kept ? Number(kept.company_id) : Number.NaN;
    return Number.isSafeInteger(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Its number while it is there and its name says that it still is the demo fleet's, whatever a file claims. */
async function findCompany(ctx: Context, actor: Actor, id: number | undefined): Promise<number | null> {
  if (id === undefined) return null;
  const company = await requireCompany(ctx.db, actor, id).catch(() => undefined);
  return company !== undefined && company.name === NAME ? company.id : null;
}

async function addCompany(ctx: Context, caller: Caller): Promise<{ companyId: number; code: string }> {
  const companyId = await createCompany(ctx, caller, { name: NAME, parent_id: caller.actor.companyId });
  const at = ctx.clock.now();
  const code = makeEnrolmentCode();
  await inTransaction(ctx.db, (trx) =>
    trx
      .insertInto('enrolment_codes')
      .values({
        company_id: companyId,
        code_hash: hashEnrolmentCode(code),
        hint: code.slice(-HINT_LENGTH),
        uses: DEVICES,
        used: 0,
        expires_at: at + CODE_HOURS * HOUR,
        tag_ids: '[]',
        name_prefix: '',
        created_by: caller.actor.userId,
        revoked_at: null,
        created_at: at,
      })
      .execute(),
  );
  return { companyId, code };
}
