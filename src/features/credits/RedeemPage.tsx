import { Navigate } from 'react-router';

/** The address under which people know the form for a code. */
export default function RedeemPage() {
  return <Navigate to="/forms/credits/activate-code" replace />;
}
