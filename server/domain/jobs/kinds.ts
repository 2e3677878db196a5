import type { PermissionName } from '../../../schemas/_generated/contract.ts';
import type { JobKind } from './types.ts';

/** The kinds of work that rooms have registered, by name. */
export interface Kinds {
  add<Input>(kind: JobKind<Input>): void;
  /** Throws for a name that nobody registered: a mistake in code, because routes name their kind themselves. */
  get(name: string): JobKind;
  find(name: string): JobKind | undefined;
}

/** Who may start, retry and cancel a job with this input. */
export function permissionOf(kind: JobKind, input: unknown): PermissionName {
  return typeof kind.permission === 'function' ? kind.permission(input) : kind.permission;
}

export function createKinds(): Kinds {
  const kinds = new Map<string, JobKind>();
  return {
    add(kind) {
      if (kinds.has(kind.name)) throw new Error(`Two job kinds are named "${kind.name}"`);
      // The input's type is the kind's own affair: only it made the input that it is given back.
      kinds.set(kind.name, kind as unknown as JobKind);
    },
    get(name) {
      const kind = kinds.get(name);
      if (!kind) throw new Error(`No job kind named "${name}" is registered`);
      return kind;
    },
    find: (name) => kinds.get(name),
  };
}
