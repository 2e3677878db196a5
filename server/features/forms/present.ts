import { qualityOf } from '../../../schemas/kit/lint/form-quality.ts';
import { schemasFolder } from '../../../schemas/kit/codegen/load.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { can, type Actor } from '../../kernel/actor.ts';
import { wireTime } from '../../kernel/clock.ts';
import { isPermission } from '../../kernel/form-route.ts';
import { isProgram } from '../../kernel/lenient-calls.ts';
import type { AddedForm, Catalogue } from './catalogue.ts';
import { shippedContract } from '../../kernel/shipped-contract.ts';
import { hashOf } from './repo.ts';

/** `broken`: the last good version is in use · `unusable`: there is none. */
export type Health = 'ok' | 'broken' | 'unusable';

export function healthOf({ findings, usable }: AddedForm): Health {
  if (findings.length === 0) return 'ok';
  return usable ? 'broken' : 'unusable';
}

/** A line of the list of forms. `title` is empty for a file that never was a form. */
export function presentAdded(added: AddedForm) {
  const { id, findings, usable } = added;
  return {
    id,
    title: usable?.form.title ?? '',
    origin: 'added' as const,
    version: usable?.version.number ?? null,
    permission: usable?.form.permission ?? null,
    place: usable?.form.place ?? null,
    replaces: usable?.form.replaces === true,
    health: healthOf(added),
    quality: usable && findings.length === 0 ? qualityOf(usable.form) : null,
    findings,
    updated_at: wireTime(usable?.version.at ?? null),
    updated_by: usable?.version.user_name ?? '',
  };
}

export function presentShipped(form: FormFile) {
  return {
    id: form.id,
    title: form.title,
    origin: 'shipped' as const,
    version: form.version ?? 1,
    permission: form.permission,
    place: form.place ?? null,
    replaces: false,
    health: 'ok' as const,
    quality: qualityOf(form),
    findings: [],
    updated_at: null,
    updated_by: '',
  };
}

/** What a console needs to offer the form: only what this person may open. */
export function presentForConsole(catalogue: Catalogue, actor: Actor) {
  return catalogue.all().flatMap(({ id, usable }) => {
    if (!usable || !mayOpen(actor, usable.form)) return [];
    const { title, permission, place, replaces, danger, submit } = usable.form;
    return [
      {
        id,
        title,
        hash: usable.hash,
        version: usable.version.number,
        permission,
        place: place ?? {},
        replaces: replaces === true,
        danger: danger === true,
        needs_record: submit.path.includes('{id}'),
        sends: submit.job ? 'job' : submit.webhook ? 'webhook' : 'call',
      },
    ];
  });
}

/** Whether somebody holds the permission that a form names; one that is not in the contract any more is held by nobody. */
export function mayOpen(actor: Actor, { permission }: FormFile): boolean {
  if (permission === 'public') return !isProgram(actor);
  return isPermission(permission) && can(actor, permission);
}

/** The forms that ship, by id. */
export function shippedForms(): Record<string, FormFile> {
  return shippedContract().forms;
}

/** The text of a form that ships; undefined for an id that none has. */
export function readShipped(id: string): { text: string; etag: string } | undefined {
  if (!Object.hasOwn(shippedForms(), id)) return undefined;
  const text = readFileSync(join(schemasFolder, 'forms', `${id}.form.json`), 'utf8');
  return { text, etag: etagOf(text) };
}

/** The entity tag of a text: its hash in quotes (RFC 9110, 8.8.3). */
export function etagOf(text: string): string {
  return `"${hashOf(text)}"`;
}

/** The hash in an `If-Match` header; undefined without one. */
export function hashIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : header.trim().replace(/^W\//, '').replace(/^"|"$/g, '');
}
