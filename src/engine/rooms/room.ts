import type { ComponentType } from 'react';
import type { MenuGroupName } from '../resources/resource.ts';

/** A page of a record; `id` is the last part of its address. */
export type ShowPage = ComponentType<{ id: number }>;

/** A page at an address of its own, which the engine cannot make from data. */
export interface RoomPage {
  path: string;
  /** Who may open it; everyone signed in without one. */
  permission?: string;
  /** Its entry in the navigation. `label`: i18n key. */
  menu?: { group: MenuGroupName; order: number; icon: string; label: string };
  load(): Promise<{ default: ComponentType }>;
}

/**
 * What `src/features/<room>/index.ts` exports as `room`. It names things and loads them when they are needed, so that no room's code is
 * in the first page.
 */
export interface Room {
  /** Registers cells, strips, code actions and dialogs by name; runs once, before anything is drawn. */
  register?(): void;
  /** The pages of single records, by resource name. */
  showPages?: Record<string, () => Promise<{ default: ShowPage }>>;
  pages?: readonly RoomPage[];
  /** Pages of their own window, without menu and header: an address that contains `path` opens one at start-up. */
  connectPages?: readonly { path: string; load(): Promise<{ default: ComponentType }> }[];
}
