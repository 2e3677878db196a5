import { RefineProviders } from '../../engine/data/RefineProviders.tsx';
import { DialogHost } from '../../engine/dialogs/index.ts';
import { room } from './index.ts';
import { SecondFactorCard } from './SecondFactorCard.tsx';

room.register?.();

/** Setting up a second factor outside the console, for users who cannot go on without one. */
export default function SetUpSecondFactor() {
  return (
    <RefineProviders>
      <SecondFactorCard />
      <DialogHost />
    </RefineProviders>
  );
}
