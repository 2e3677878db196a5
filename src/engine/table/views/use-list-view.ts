import { useUpdate } from '@refinedev/core';
import { useCallback, useEffect } from 'react';
import { failureMessage } from '../../../kernel/http/index.ts';
import { translate } from '../../../kernel/i18n/index.ts';
import { useSession } from '../../../kernel/session/index.ts';
import { settings, useSetting } from '../../../kernel/settings/index.ts';
import { toasts } from '../../../kernel/toasts/index.ts';
import type { View } from '../../../../schemas/_generated/contract.ts';
import { doneNotice, failureNotice } from '../../data/notification-provider.tsx';
import { openForm } from '../../form/index.ts';
import type { Resource } from '../../resources/resource.ts';
import type { ListState } from '../list-state.ts';
import { dropUnsavedColumns, storedColumns, useColumnSettings } from '../use-column-settings.ts';
import type { ColumnControl } from '../use-column-settings.ts';
import { useListState } from '../use-list-state.ts';
import type { ChangeListState } from '../use-list-state.ts';
import { NO_VIEW, settleView, stateOfView, viewIdOf, viewQuery } from './view-state.ts';
import { loadViews, useViews } from './views-store.ts';
import type { LoadedViews } from './views-store.ts';

export interface ListView {
  state: ListState;
  change: ChangeListState;
  columns: ColumnControl;
  /** Whether it is known which rows to ask for: a view that the address only names has to be here first. */
  isReady: boolean;
  views: LoadedViews;
  current: View | undefined;
  /** Rows or columns are not as the view has them. */
  isModified: boolean;
  isDefault: boolean;
  load: () => void;
  /** Shows a view; `undefined`: none. */
  open: (view: View | undefined) => void;
  save: () => Promise<void>;
  saveAs: () => Promise<void>;
  edit: () => Promise<void>;
  remove: () => Promise<void>;
  toggleDefault: () => void;
}

/** The state of a list and its columns with the saved view that they belong to (docs/behaviour.md section 2, Views). `isPart`: a list in another page has no views. */
export function useListView(resource: Resource, isPart: boolean): ListView {
  const [state, changeAddress] = useListState(resource);
  const defaultKey = `view.${resource.name}`;
  const [kept] = useSetting(defaultKey);
  const ofRole = roleDefault(useSession(), resource.name);
  const ownDefault = typeof kept === 'number' ? kept : undefined;
  const defaultId = isPart ? undefined : (ownDefault ?? ofRole);
  const views = useViews(resource.name);
  const id = isPart ? undefined : viewIdOf(state);
  const known = Array.isArray(views) ? (views as readonly View[]) : undefined;
  const current = id === undefined ? undefined : known?.find((view) => view.id === id);
  const columns = useColumnSettings(resource, current);
  const { mutateAsync: update } = useUpdate({
    resource: 'views',
    invalidates: [],
    successNotification: () => doneNotice(translate('forms.views.edit.done')),
    errorNotification: failureNotice(),
  });
  const isPlain = viewQuery(state, resource) === '';
  const isOpening = isPlain && state.view === undefined && defaultId !== undefined;
  const isWaiting = id !== undefined && isPlain && (views === undefined || (current !== undefined && current.query !== ''));
  const isGone = id !== undefined && known !== undefined && current === undefined;

  useEffect(() => {
    if (id !== undefined && views === undefined) void loadViews(resource.name);
  }, [id, views, resource.name]);
  useEffect(() => {
    if (isOpening) changeAddress({ ...state, view: String(defaultId) }, { replace: true });
  }, [isOpening, defaultId, state, changeAddress]);
  useEffect(() => {
    if (isWaiting && current) changeAddress({ ...stateOfView(current, resource), page: state.page }, { replace: true });
  }, [isWaiting, current, resource, state.page, changeAddress]);
  useEffect(() => {
    if (!isGone) return;
    toasts.warning(translate('table.view.gone'));
    if (id === ownDefault) forget(defaultKey);
    // The one of a role is asked for again with the next start only.
    changeAddress({ ...state, view: id === ofRole ? NO_VIEW : undefined }, { replace: true });
  }, [isGone, id, ofRole, ownDefault, defaultKey, state, changeAddress]);

  const change = useCallback<ChangeListState>(
    (next, options) => changeAddress(isPart ? next : settleView(next, resource, { current, hasDefault: defaultId !== undefined }), options),
    [changeAddress, resource, current, defaultId, isPart],
  );
  const present = () => ({ query: viewQuery(state, resource), columns: JSON.stringify(storedColumns(columns.settings)) });
  const isModified =
    current !== undefined &&
    !isWaiting &&
    (columns.isUnsaved || viewQuery(stateOfView(current, resource), resource) !== viewQuery(state, resource));
  return {
    state,
    change,
    columns,
    isReady: !isOpening && !isWaiting,
    views,
    current,
    isModified,
    isDefault: current !== undefined && current.id === ownDefault,
    load: useCallback(() => void loadViews(resource.name), [resource.name]),
    open(view) {
      if (view) {
        dropUnsavedColumns(resource.name, view.id);
        changeAddress(stateOfView(view, resource));
      } else change({ ...stateOfView({ id: 0, query: '' }, resource), view: undefined });
    },
    async save() {
      if (!current) return;
      try {
        await update({ id: current.id, values: { name: current.name, ...present() } });
      } catch {
        // Told by the mutation's own notification.
        return;
      }
      await loadViews(resource.name);
      dropUnsavedColumns(resource.name, current.id);
    },
    async saveAs() {
      const answer = await openForm<{ id: number }>('views/new', { initial: { resource: resource.name, share: 'private', ...present() } });
      if (!answer) return;
      await loadViews(resource.name);
      if (current) dropUnsavedColumns(resource.name, current.id);
      changeAddress({ ...state, view: String(answer.data.id) });
    },
    async edit() {
      if (!current) return;
      const { id: viewId, name, share, default_roles } = current;
      const initial = { name, share: share === 'private' ? 'private' : 'company', everyone: share === 'everyone', default_roles };
      if (await openForm('views/edit', { record: { id: viewId }, initial })) await loadViews(resource.name);
    },
    async remove() {
      if (!current || !(await openForm('views/remove', { record: { id: current.id } }))) return;
      dropUnsavedColumns(resource.name, current.id);
      if (current.id === ownDefault) forget(defaultKey);
      changeAddress({ ...state, view: current.id === ofRole ? NO_VIEW : undefined }, { replace: true });
      await loadViews(resource.name);
    },
    toggleDefault() {
      if (!current) return;
      if (current.id === ownDefault) forget(defaultKey);
      else settings.set(defaultKey, current.id).catch((error: unknown) => toasts.error(failureMessage(error)));
    },
  };
}

function forget(key: string): void {
  settings.remove(key).catch((error: unknown) => toasts.error(failureMessage(error)));
}

/** The view that a list opens with for the user's role. */
function roleDefault(state: ReturnType<typeof useSession>, name: string): number | undefined {
  const id = state.state === 'unauthenticated' ? undefined : state.user.default_views?.[name];
  return typeof id === 'number' ? id : undefined;
}
