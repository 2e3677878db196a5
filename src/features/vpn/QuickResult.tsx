import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { ResultViewProps } from '../../engine/form/index.ts';

/** After a quick connection was made: its page, which shows how the device joins and what comes next. */
export default function QuickResult({ result, close }: ResultViewProps) {
  const navigate = useNavigate();
  // The answer of this form's route.
  const { id } = result.data as unknown as { id: number };
  useEffect(() => {
    close();
    void navigate(`/vpn/quick-connect/${id}/general`);
    // Once.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  return null;
}
