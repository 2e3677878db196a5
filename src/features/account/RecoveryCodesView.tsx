import type { ResultViewProps } from '../../engine/form/index.ts';
import { RecoveryCodes, readRecoveryCodes } from './RecoveryCodes.tsx';

/** New recovery codes, which the server shows only once. */
export default function RecoveryCodesView({ result, close }: ResultViewProps) {
  return <RecoveryCodes codes={readRecoveryCodes(result.data)} onDone={close} />;
}
