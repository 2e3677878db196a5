import { resources as entries } from '../../resources.config.ts';
import { deriveMenu, deriveRoutes, type MenuGroup } from '../engine/resources/derive.ts';
import type { AddedForm } from '../engine/form/added-forms.ts';
import { menuWith } from '../engine/form/added-form-entries.ts';
import type { Resource, Resources } from '../engine/resources/resource.ts';
import { readLocal, writeLocal } from '../kernel/local.ts';
import { can, type CurrentUser } from '../kernel/session/index.ts';
import { settings } from '../kernel/settings/index.ts';
import { roomPages } from './rooms.ts';

/** Every resource of the console. */
export const resources: Resources = entries;

// docs/behaviour.md section 9.
const DEFAULT_PATH = '/management/devices';
const HOME_PATH = '/home';
const LAST_PATH = 'last_path';
/** The user's setting: where the console opens. */
const START_PAGE = 'start_page';

/** The entry of a name, or `undefined`. */
export function findResource(name: string): Resource | undefined {
  return resources.find((resource) => resource.name === name);
}

/** The navigation of the signed-in user, added forms among it. */
export function ownMenu(added: readonly AddedForm[]): MenuGroup[] {
  return menuWith(
    deriveMenu(resources, (permission) => can(permission), roomPages()),
    added,
  );
}

/** Remembers a list page as the last used one. */
export function rememberPath(path: string): void {
  if (path === HOME_PATH || allowedPaths().includes(path)) writeLocal(LAST_PATH, path);
}

/** Where an unknown path leads: the last used page, else the devices, else the first page that the user may see; `undefined` when there is none. */
export function landingPath(): string | undefined {
  const allowed = allowedPaths();
  return [readLocal(LAST_PATH), DEFAULT_PATH].find((path) => path !== undefined && isAllowed(path, allowed)) ?? allowed[0];
}

/** Where the console opens: as the user chose, else as the role says; "last" is where an unknown path leads. */
export function startPath(user: Pick<CurrentUser, 'start_page'>): string | undefined {
  const own = settings.get(START_PAGE);
  const start = own === 'last' || own === 'home' || own === 'devices' ? own : user.start_page;
  const path = { last: undefined, home: HOME_PATH, devices: DEFAULT_PATH }[start];
  return path !== undefined && isAllowed(path, allowedPaths()) ? path : landingPath();
}

/** The start page is for everybody who may see anything at all. */
function isAllowed(path: string, allowed: readonly string[]): boolean {
  return path === HOME_PATH ? allowed.length > 0 : allowed.includes(path);
}

/** Where the logo leads: the devices, for those who may see them. */
export function homePath(): string {
  return allowedPaths().includes(DEFAULT_PATH) ? DEFAULT_PATH : '/';
}

function allowedPaths(): string[] {
  return deriveRoutes(resources)
    .filter((route) => route.view === 'list' && can(route.permission))
    .map((route) => route.path);
}
