import type { ResultViewProps } from '../../engine/form/index.ts';
import { RecoveryCodes, readRecoveryCodes } from './RecoveryCodes.tsx';

/** New recovery codes, which the server tells this once only. */
export default function RecoveryCodesView({ result, close }: ResultViewProps) {
  return <RecoveryCodes codes={readRecoveryCodes(result.data)} onDone={close} />;
}
