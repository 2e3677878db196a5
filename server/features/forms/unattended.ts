import type { Context } from '../../context.ts';
import type { DeviceForm, DeviceFormSource } from '../../kernel/device-forms.ts';
import { isUnattended, UNATTENDED } from '../../kernel/form-route.ts';
import type { Catalogue, CompiledForm } from './catalogue.ts';
import type { Deliveries } from './deliveries.ts';
import { runForm } from './run-route.ts';
import { shippedJobForms } from './shipped-jobs.ts';

/** The added forms, and the shipped ones that start a device job, as automations send them. An added form that replaces a shipped one has its id. */
export function unattendedForms(ctx: Context, catalogue: Catalogue, deliveries: Deliveries): DeviceFormSource {
  const shipped = shippedJobForms();
  const ready = (usable: CompiledForm | undefined): DeviceForm | undefined => {
    if (!usable || !(usable.form.submit.job ?? usable.form.submit.webhook) || !isUnattended(usable.form)) return undefined;
    const { form, check } = usable;
    const send: DeviceForm['send'] = ({ actor, body, key }) => {
      const request = { headers: { 'idempotency-key': key } };
      return runForm({ ctx, actor, origin: UNATTENDED, request, usable, body, uploads: undefined }, deliveries);
    };
    return { form, check, send };
  };
  return {
    find: (id) => ready(catalogue.find(id)?.usable ?? shipped.get(id)),
    all: () => [...shipped.values(), ...catalogue.all().flatMap(({ usable }) => usable ?? [])].flatMap((usable) => ready(usable) ?? []),
  };
}
