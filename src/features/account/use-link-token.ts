import { useEffect, useState } from 'react';

/** The token after the `#` of a mailed link; it leaves the address, so that it does not stay in the history. */
export function useLinkToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => {
    if (location.hash !== '') history.replaceState(null, '', location.pathname);
  }, []);
  return token;
}
