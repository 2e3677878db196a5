import type { NotificationProvider, OpenNotificationParams } from '@refinedev/core';
import type { ComponentType } from 'react';
import { failureMessage, isCancelled, type FailureContext } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { createStore, useStore } from '../../kernel/store.ts';
import { SECOND } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { toastNotification } from '../../ui/index.ts';
import type { AntdNotificationsProps } from './AntdNotifications.tsx';

/** Toasts of changes that can still be cancelled, by Refine's key. */
const cancellable = new Map<string, number>();

/**
 * Refine's notifications in the console's toast queue, through the provider of `@refinedev/antd`. A change that can still be cancelled becomes a toast with
 * Undo here: the package draws a counter, which screen readers would read out every second.
 */
export const notificationProvider: NotificationProvider = {
  open(params) {
    if (params.type === 'progress') offerToCancel(params);
    else withProvider((provider) => provider.open(params));
  },
  close(key) {
    const id = cancellable.get(key);
    if (id === undefined) withProvider((provider) => provider.close(key));
    else toasts.close(id);
    cancellable.delete(key);
  },
};

function offerToCancel({ key = '', message, cancelMutation, undoableTimeout = 0 }: OpenNotificationParams): void {
  // Refine opens it again with every second that passes.
  if (cancellable.has(key)) return;
  const action = { label: translate('common.undo'), run: () => cancelMutation?.() };
  cancellable.set(key, toasts.info(message, { durationMs: undoableTimeout * SECOND, action }));
}

type Use = (provider: NotificationProvider) => void;

let antdProvider: NotificationProvider | undefined;
let waiting: Use[] = [];
const bridge = createStore<{ Component?: ComponentType<AntdNotificationsProps> }>({});

/** Without a server the code of the package may not come; what failed has to be said all the same. */
const withoutPackage: NotificationProvider = {
  open: ({ key, message, description, type }) =>
    toastNotification.open({ key, message: description, description: message, type: type === 'progress' ? 'info' : type }),
  close: (key) => toastNotification.destroy(key),
};

function withProvider(use: Use): void {
  if (antdProvider) return use(antdProvider);
  waiting.push(use);
  if (waiting.length > 1) return;
  import('./AntdNotifications.tsx').then(
    ({ AntdNotifications }) => bridge.set({ Component: AntdNotifications }),
    () => flush(withoutPackage),
  );
}

function flush(provider: NotificationProvider): void {
  const uses = waiting;
  waiting = [];
  uses.forEach((use) => use(provider));
}

function handleReady(provider: NotificationProvider): void {
  antdProvider = provider;
  flush(provider);
}

/** Where the package's provider is asked for: its hook needs a place below Refine's and antd's providers. */
export function NotificationBridge() {
  const { Component } = useStore(bridge);
  return Component ? <Component onReady={handleReady} /> : null;
}

/** `successNotification` of a mutation: what was done. */
export function doneNotice(message: string): OpenNotificationParams {
  return { type: 'success', message };
}

/** `errorNotification` of a mutation: the server's own words, else those of `context`; nothing for a call that the user gave up. */
export function failureNotice(context?: FailureContext): (error?: unknown) => OpenNotificationParams | false {
  return (error) => (isCancelled(error) ? false : { type: 'error', message: failureMessage(error, context) });
}
