import { keys, useInvalidate, useList, type GetListResponse } from '@refinedev/core';
import { useEffect } from 'react';
import type { ApiError } from '../../kernel/http/index.ts';
import { queryClient } from '../../kernel/queries.ts';
import { useUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { seenElsewhere, type Notification } from './notification-api.ts';
import { isNotification } from './sentence.ts';

const RESOURCE = 'notifications';
/** What the bell shows of them. */
const SHOWN = { pagination: { currentPage: 1, pageSize: 20, mode: 'server' } } as const;
const meta = { survivesRouteChange: true };

/** New ones at the top; the same one again takes the place of the older. */
export function withNews(shown: readonly Notification[] | undefined, news: readonly Notification[]): Notification[] | undefined {
  if (!shown) return undefined;
  const ids = new Set(news.map((one) => one.id));
  return [...news.toReversed(), ...shown.filter((one) => !ids.has(one.id))];
}

/** The number of the bell, and what it shows once it is open; both follow the live channel. */
export function useNotifications(isOpen: boolean) {
  const { id } = useUser();
  const invalidate = useInvalidate();
  const { query: unseen } = useList<Notification, ApiError>({
    resource: RESOURCE,
    pagination: { currentPage: 1, pageSize: 1 },
    filters: [{ field: 'is_seen', operator: 'eq', value: 0 }],
    meta: { ...meta, query: { fields: 'id' } },
    errorNotification: false,
  });
  const { refetch: countAgain } = unseen;
  const { query: newest } = useList<Notification, ApiError>({
    resource: RESOURCE,
    ...SHOWN,
    meta,
    queryOptions: { enabled: isOpen },
    errorNotification: false,
  });

  useEffect(() => {
    const reload = () => void invalidate({ resource: RESOURCE, invalidates: ['list'] });
    const shown = keys()
      .data()
      .resource(RESOURCE)
      .action('list')
      .params({ ...meta, ...SHOWN })
      .get();
    const stops = [
      seenElsewhere.on('seen', reload),
      live.follow(`private-notifications.${id}`, {
        onEvent(event, payload) {
          if (event !== 'WebNotificationCreated') return;
          const news = (Array.isArray(payload) ? payload : [payload]).filter(isNotification);
          queryClient.setQueriesData<GetListResponse<Notification>>(
            { queryKey: shown },
            (answer) => answer && { ...answer, data: withNews(answer.data, news) ?? [] },
          );
          void countAgain();
        },
        onFollowed: reload,
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [invalidate, countAgain, id]);
  return { unseen: unseen.data?.total ?? 0, newest };
}
