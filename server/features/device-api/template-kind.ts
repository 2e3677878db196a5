import { HIDDEN, formValues, sectionsOf, type DeviceSettings } from '../../../schemas/kit/devices/configuration.ts';
import type { TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import { compareVersions, parseFirmware } from '../../../schemas/kit/devices/device-capabilities.ts';
import type { Context } from '../../context.ts';
import type { Row, Trx } from '../../db/schema.ts';
import type { EndedTarget, JobDevice, JobKind, SkipReason } from '../../domain/jobs/types.ts';
import { NotFound } from '../../kernel/errors.ts';
import { openSealed, sealText } from '../../kernel/seal.ts';
import type { DevicePlan } from './changes.ts';
import { bodyOf, readBodies } from './configure.ts';
import { changeSteps, CONFIGURE_PURPOSE, keepSettings, type ReadInput } from './configure-kinds.ts';
import { documentFor, systemOf } from './documents.ts';
import { follow, compareDevices } from './drift.ts';
import { planTemplate } from './template-plan.ts';
import { allCalls, callsIn, type TemplateRow } from './template-chain.ts';
import { changeTemplate, requireTemplate } from './templates.ts';
import { lookupsFor } from './variables.ts';

/** Also what a tag's action is called. */
export const TEMPLATE_KIND = 'apply_template';
export const TAKE_OVER_KIND = 'take_over_settings';

export interface TemplateInput {
  template_id: number;
  template_name: string;
  /** What was chosen; a tag applies what the template says when it runs. */
  revision?: number;
  confirm_seconds?: number;
  bodies?: ReadInput['bodies'];
}

/** What a target keeps: the command, sealed, as values may be secret. */
interface Facts {
  system: string;
  sealed: string;
}

const DEFAULT_CONFIRM_SECONDS = 120;

function isOutside(firmware: string, { min_firmware, max_firmware }: TemplateRow): boolean {
  const [version, least, most] = [firmware, min_firmware, max_firmware].map((text) => parseFirmware(text));
  if (!least && !most) return false;
  if (!version) return true;
  return (least !== undefined && compareVersions(version, least) < 0) || (most !== undefined && compareVersions(version, most) > 0);
}

/** What a template means for each of these devices: the changes, or why it is left out. */
async function planFor(ctx: Context, devices: readonly JobDevice[], input: TemplateInput): Promise<Map<number, DevicePlan | SkipReason>> {
  const template = await ctx.reads
    .selectFrom('configuration_templates')
    .innerJoin('companies', 'companies.id', 'configuration_templates.company_id')
    .selectAll('configuration_templates')
    .select('companies.path as company_path')
    .where('configuration_templates.id', '=', input.template_id)
    .executeTakeFirst();
  if (!template) return new Map(devices.map(({ id }) => [id, 'UNSUPPORTED']));
  const calls = await allCalls(ctx.reads, template);
  const document = await documentFor(ctx.reads, template.system);
  const lookups = await lookupsFor(ctx, ctx.reads, devices);
  const rows = await ctx.reads
    .selectFrom('device_configurations')
    .select(['device_id', 'settings'])
    .where('device_id', 'in', ctx.database.tools.idList(devices.map(({ id }) => id)))
    .execute();
  const settingsOf = new Map(rows.map((row) => [row.device_id, JSON.parse(row.settings) as DeviceSettings]));
  const judged = (device: JobDevice): DevicePlan | SkipReason => {
    const lookup = lookups.get(device.id);
    if (!device.company_path.startsWith(template.company_path)) return 'NO_RIGHT';
    if (systemOf(device) !== template.system || !lookup) return 'UNSUPPORTED';
    if (isOutside(device.firmware, template)) return 'WRONG_FIRMWARE';
    const found = planTemplate(document, settingsOf.get(device.id), calls, lookup);
    if ('fault' in found) return found.fault === 'NOT_READ' || found.fault === 'GONE' ? 'NOT_READ' : 'VALUE_MISSING';
    return found.operations.length === 0 ? 'UP_TO_DATE' : found;
  };
  return new Map(devices.map((device) => [device.id, judged(device)]));
}

async function ended(trx: Trx, call: { ctx: Context; job: Row<'jobs'>; targets: readonly EndedTarget[] }): Promise<void> {
  const { template_id, revision = 0 } = JSON.parse(call.job.input) as TemplateInput;
  const there = await trx.selectFrom('configuration_templates').select('id').where('id', '=', template_id).executeTakeFirst();
  const done = call.targets.filter(({ state }) => state === 'ok').map(({ device_id }) => device_id);
  if (there) await follow(call.ctx, trx, done, { id: template_id, revision });
  await keepSettings(trx, call);
}

/** A template put on devices, with the way back of every change of settings. What it means for a device is worked out when its turn comes. */
export function templateKind(ctx: Context): JobKind<TemplateInput> {
  return {
    name: TEMPLATE_KIND,
    permission: 'create_multi_configuration',
    async prepare(_ctx, actor, input) {
      const { id, name, revision } = await requireTemplate(ctx.reads, actor, input.template_id, 'template_id');
      return {
        template_id: id,
        template_name: name,
        revision,
        confirm_seconds: input.confirm_seconds ?? DEFAULT_CONFIRM_SECONDS,
        bodies: await readBodies(ctx),
      };
    },
    async inputFrom({ actor, id, source }) {
      const { name } = await requireTemplate(ctx.reads, actor, id, source);
      return { template_id: id, template_name: name };
    },
    skipReason: (device) => (systemOf(device) === undefined ? 'UNSUPPORTED' : undefined),
    async refusals(_ctx, devices, input) {
      const plans = await planFor(ctx, devices, input);
      return new Map([...plans].flatMap(([id, plan]) => (typeof plan === 'string' ? [[id, plan] as const] : [])));
    },
    runs: {
      on: 'device',
      async notes(_ctx, devices, input) {
        const plans = await planFor(ctx, devices, input);
        const facts = devices.map((device): readonly [number, Facts] => {
          const plan = plans.get(device.id);
          const body = typeof plan === 'object' ? bodyOf(plan) : '';
          return [device.id, { system: systemOf(device) ?? '', sealed: sealText(ctx.secretKey, CONFIGURE_PURPOSE, body) }];
        });
        return new Map(facts);
      },
      steps({ confirm_seconds = DEFAULT_CONFIRM_SECONDS, bodies = {} }, _device, facts) {
        const { system = '', sealed }: Partial<Facts> = Object(facts);
        const body = sealed === undefined ? '' : openSealed(ctx.secretKey, CONFIGURE_PURPOSE, sealed);
        return changeSteps({ confirmSeconds: confirm_seconds, body, readBody: bodies[system as keyof typeof bodies] ?? '' });
      },
      ended,
    },
  };
}

/** The calls with the values that a device has for what they set. Sections that are searched for stay as they are. */
async function takenFrom(trx: Trx, template: TemplateRow, deviceId: number): Promise<TemplateCall[]> {
  const row = await trx.selectFrom('device_configurations').select('settings').where('device_id', '=', deviceId).executeTakeFirst();
  if (!row) throw new NotFound({}, { source: 'device_id' });
  const settings = JSON.parse(row.settings) as DeviceSettings;
  const { sections } = await documentFor(trx, template.system);
  return callsIn(template).flatMap((call): TemplateCall[] => {
    const [, name, id] = /^\/([A-Za-z0-9_/-]+)\/config(?:\/([A-Za-z0-9_-]+))?$/.exec(call.path) ?? [];
    const section = sections.find((one) => one.id === name);
    const found = section && sectionsOf(settings, section).find((one) => one.id === (section.name ?? id));
    if (!section || call.method === 'delete' || call.search_elements) return [call];
    if (!found) return [];
    const values = formValues(section, found, settings);
    const data = Object.entries(call.request_data?.data ?? {}).map(([key, value]) => [
      key,
      section.secrets.includes(key) || values[key] === HIDDEN ? value : (values[key] ?? null),
    ]);
    return [{ ...call, request_data: { data: Object.fromEntries(data) } }];
  });
}

/** The template gets the values that one of its devices has. */
export const takeOverKind: JobKind<{ template_id: number; template_name: string }> = {
  name: TAKE_OVER_KIND,
  permission: 'create_multi_configuration',
  skipReason: () => undefined,
  runs: {
    on: 'server',
    async run(trx, { ctx, actor, origin, input, devices }) {
      const [device] = devices;
      if (!device) return;
      const template = await requireTemplate(trx, actor, input.template_id);
      const calls = await takenFrom(trx, template, device.id);
      const { revision, version } = template;
      await changeTemplate(ctx, { actor, origin }, template.id, { revision, version, template: calls }, trx);
      await compareDevices(ctx, trx, [device.id]);
    },
  },
};
