import { useEffect, useState } from 'react';
import { api } from '../../kernel/http/index.ts';

/** What the server offers beside the password. */
export interface SignInMethods {
  forgotten_password: boolean;
  passkey: boolean;
  /** The name of the identity provider whose accounts may sign in. */
  external: string | null;
}

/** What the sign-in page may offer; nothing more than the password until the server has said so, or when it does not. */
export function useSignInMethods(): SignInMethods | undefined {
  const [waysIn, setWaysIn] = useState<SignInMethods>();
  useEffect(() => {
    api.get<SignInMethods>('/account/ways-in').then(
      ({ data }) => setWaysIn(data),
      () => undefined,
    );
  }, []);
  return waysIn;
}
