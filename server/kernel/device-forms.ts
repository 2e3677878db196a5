import type { ErrorItem, FormFile, JsonValue } from '../../schemas/kit/form/types.ts';
import type { Actor } from './actor.ts';
import type { Answer } from './answer.ts';

/** How a form is sent over devices where no person sends it. */
export interface UnattendedCall {
  actor: Actor;
  /** Its fields with `device_id`. */
  body: Record<string, JsonValue>;
  /** The same key starts the same job, however often it is sent. */
  key: string;
}

/** A form that starts something on devices. */
export interface DeviceForm {
  form: FormFile;
  /** What its rules say of a body; nothing where it is right. */
  check(body: Record<string, JsonValue>): ErrorItem[];
  /** Sends it with the rights of the actor. Throws what its route answers. */
  send(call: UnattendedCall): Promise<Answer>;
}

/** Forms that one may read now; they change while the server runs. */
export interface DeviceFormSource {
  find(id: string): DeviceForm | undefined;
  all(): readonly DeviceForm[];
}

/** The forms that automations can send: those that ship register themselves, those that are added come from a source. */
export interface DeviceForms extends DeviceFormSource {
  add(form: DeviceForm): void;
  addSource(source: DeviceFormSource): void;
}

export function createDeviceForms(): DeviceForms {
  const shipped = new Map<string, DeviceForm>();
  const sources: DeviceFormSource[] = [];
  const find = (id: string): DeviceForm | undefined => {
    for (const source of sources) {
      const found = source.find(id);
      if (found) return found;
    }
    return shipped.get(id);
  };
  return {
    add: (form) => void shipped.set(form.form.id, form),
    addSource: (source) => void sources.push(source),
    find,
    all() {
      const byId = new Map(shipped);
      for (const source of sources) for (const form of source.all()) byId.set(form.form.id, form);
      return [...byId.values()];
    },
  };
}
