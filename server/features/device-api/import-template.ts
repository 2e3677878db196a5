import type { FormData } from '../../../schemas/_generated/contract.ts';
import { formValues, sectionsOf } from '../../../schemas/kit/devices/configuration.ts';
import type { TemplateCall } from '../../../schemas/kit/devices/configuration-template.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../kernel/actor.ts';
import { documentFor } from './documents.ts';
import { ConfigurationNotRead, NoConfiguration } from './errors.ts';
import { knownDevices } from './known-devices.ts';
import { addTemplate } from './templates.ts';

/** Makes a template of what a device was set to when it was read last, without secrets. Throws as `addTemplate` does, and CONFIGURATION_NOT_READ. */
export async function importTemplate(ctx: Context, caller: Caller, body: FormData['configuration-templates/import']): Promise<number> {
  const [device] = await knownDevices(ctx, caller.actor, [body.device_id], () => 'device_id');
  if (!device?.system) throw new NoConfiguration({ device: device?.name ?? '' }, { source: 'device_id' });
  const { settings, system } = device;
  if (!settings) throw new ConfigurationNotRead({ device: device.name }, { source: 'device_id' });
  const document = await documentFor(ctx.reads, system);
  const wanted = document.sections.filter(
    ({ id, config }) => !body.configs?.length || body.configs.includes(config) || body.configs.includes(id),
  );
  const template = wanted.flatMap((section) =>
    sectionsOf(settings, section).map((found): TemplateCall => ({
      path: `/${section.id}/config/${found.id}`,
      method: 'put',
      request_data: { data: formValues(section, found, settings) },
    })),
  );
  return addTemplate(ctx, caller, { name: body.name, company_id: body.company_id, version: '1', system, template });
}
