import type { PermissionName } from '../../schemas/_generated/contract.ts';
import type { Context } from '../context.ts';
import type { Caller } from './actor.ts';

/** A change as the history keeps it, for the code that undoes it. */
export interface Change {
  entityId: number;
  before: Readonly<Record<string, unknown>>;
  /** Whether the change gave this field another value: the others may have been changed since, and stay as they are. */
  isChanged(field: string): boolean;
}

/**
 * How a kind of change is undone: with the room's own use case, as the one who undoes it, so that its rights and rules hold.
 * @NOTE The caller is passed on as it is: its origin says which history rows the new ones undo.
 */
export type Undo = {
  permission: PermissionName;
  /**
   * Of a record that is in several companies, the fields that it has once in each; `all` when the change is about its being in that company at all.
   * Later changes of these block the undo of the change in the same company only.
   */
  inCompany?: 'all' | readonly string[];
} & (
  | { one(ctx: Context, caller: Caller, change: Change): Promise<unknown> }
  /** Changes of different records, all or none of them. */
  | { many(ctx: Context, caller: Caller, changes: readonly Change[]): Promise<unknown> }
);

/** A text of a record that the history kept. Throws Error when there is none. */
export function keptText(record: Change['before'], name: string): string {
  const value = record[name];
  if (typeof value !== 'string') throw new Error(`the history kept no text "${name}"`);
  return value;
}

/** Those of these texts that the change gave other values, as they were before. Throws Error for one that the history did not keep. */
export function changedTexts<N extends string>({ before, isChanged }: Change, names: readonly N[]): { [Name in N]?: string } {
  const texts: { [Name in N]?: string } = {};
  for (const name of names) if (isChanged(name)) texts[name] = keptText(before, name);
  return texts;
}

/** Those of these numbers that the change gave other values, as they were before; null for one that was not there. */
export function changedNumbers<N extends string>({ before, isChanged }: Change, names: readonly N[]): { [Name in N]?: number | null } {
  const numbers: { [Name in N]?: number | null } = {};
  for (const name of names) {
    const value = before[name];
    if (isChanged(name)) numbers[name] = typeof value === 'number' ? value : null;
  }
  return numbers;
}

/** A number of a record that the history kept. Throws Error when there is none. */
export function keptNumber(record: Change['before'], name: string): number {
  const value = record[name];
  if (typeof value !== 'number') throw new Error(`the history kept no number "${name}"`);
  return value;
}

/** The numbers of a list that the history kept; none when it kept no list. */
export function keptNumbers(record: Change['before'], name: string): number[] {
  const value = record[name];
  return Array.isArray(value) ? value.filter((item: unknown) => typeof item === 'number') : [];
}
