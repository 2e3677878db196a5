import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { DialogHost } from '../../engine/dialogs/index.ts';
import { room } from './index.ts';
import { SecondFactorCard } from './SecondFactorCard.tsx';

room.register?.();
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });

/** Setting up a second factor outside the console, for whoever may not go on without one. */
export default function SetUpSecondFactor() {
  return (
    <QueryClientProvider client={queryClient}>
      <SecondFactorCard />
      <DialogHost />
    </QueryClientProvider>
  );
}
