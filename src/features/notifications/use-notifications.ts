import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import { countUnseen, loadNewest, seenElsewhere, type Notification } from './notification-api.ts';
import { isNotification } from './sentence.ts';

const COUNT = ['notifications', 'unseen'];
const NEWEST = ['notifications', 'newest'];

/** New ones at the top; the same one again takes the place of the older. */
export function withNews(shown: readonly Notification[] | undefined, news: readonly Notification[]): Notification[] | undefined {
  if (!shown) return undefined;
  const ids = new Set(news.map((one) => one.id));
  return [...news.toReversed(), ...shown.filter((one) => !ids.has(one.id))];
}

/** The number of the bell, and what it shows once it is open; both follow the live channel. */
export function useNotifications(isOpen: boolean) {
  const client = useQueryClient();
  const { id } = useUser();
  const count = useQuery({ queryKey: COUNT, queryFn: ({ signal }) => countUnseen(signal) });
  const newest = useQuery({ queryKey: NEWEST, queryFn: ({ signal }) => loadNewest(signal), enabled: isOpen });

  useEffect(() => {
    const reload = () => void client.invalidateQueries({ queryKey: ['notifications'] });
    const stops = [
      seenElsewhere.on('seen', reload),
      live.follow(`private-notifications.${id}`, {
        onEvent(event, payload) {
          if (event !== 'WebNotificationCreated') return;
          const news = (Array.isArray(payload) ? payload : [payload]).filter(isNotification);
          client.setQueryData<Notification[]>(NEWEST, (shown) => withNews(shown, news));
          void client.invalidateQueries({ queryKey: COUNT });
        },
        onFollowed: reload,
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, id]);
  return { unseen: count.data ?? 0, newest };
}
