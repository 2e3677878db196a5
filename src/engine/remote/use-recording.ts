import { useQuery } from '@tanstack/react-query';
import { api } from '../../kernel/http/index.ts';

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
