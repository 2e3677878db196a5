import { useQuery } from '@tanstack/react-query';
import { api } from '../../kernel/http/index.ts';

/** What the page's recording is of, `device: entry`; undefined while it is not known. */
export function useRecordingTitle(): string | undefined {
  const id = Number(new URLSearchParams(location.search).get('session'));
  const { data } = useQuery({
    queryKey: ['remote', 'recording-title', id],
    staleTime: Infinity,
    queryFn: async () => {
      const { data: sessions } = await api.get<{ device_name: string; entry_name: string }[]>('/devices/connect/logs', {
        query: { id, limit: 1 },
      });
      return sessions[0] ?? null;
    },
  });
  return data ? `${data.device_name}: ${data.entry_name}` : undefined;
}

/** The recording of the session that the page's address names, as `read` makes it of the file; null when it is none that can be shown. */
export function useRecording<T>(read: (file: Blob) => Promise<T | undefined>) {
  const id = Number(new URLSearchParams(location.search).get('session'));
  return useQuery({
    queryKey: ['remote', 'recording', id],
    gcTime: 0,
    // What has ended does not change, and each download is in the history.
    staleTime: Infinity,
    queryFn: async () => {
      const { blob } = await api.download(`/devices/connect/sessions/${id}/recording`);
      return (await read(blob)) ?? null;
    },
  });
}
