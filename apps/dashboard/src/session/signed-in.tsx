import { MusterProblem } from '@muster/sdk';
import { Center, Loader } from '@mantine/core';
import { useCallback, useEffect, useMemo, useState, type ReactElement, type ReactNode } from 'react';
import { exchangeCode, takeCode } from './code.js';
import { answerNewTabs, forgetKey, keepKey, keptKey } from './kept-key.js';
import { clientWith, SessionProvider, type Session } from './session.js';
import { SignInPage } from './sign-in.page.js';

type State =
  | { readonly is: 'looking' }
  | { readonly is: 'out'; readonly why: string | null }
  | ({ readonly is: 'in' } & Pick<Session, 'operator' | 'who'>);

/** Shows its children to who is signed in, and a form to others. */
export function SignedIn({ children }: { readonly children: ReactNode }): ReactElement {
  const [state, setState] = useState<State>({ is: 'looking' });

  const enter = useCallback(async (key: string): Promise<string | null> => {
    const operator = clientWith(key);
    try {
      const who = await operator.whoAmI();
      keepKey(key);
      setState({ is: 'in', operator, who });
      return null;
    } catch (error) {
      return wordsOf(error);
    }
  }, []);

  useEffect(() => {
    answerNewTabs();
    void (async () => {
      const code = takeCode();
      try {
        const key = code ? await exchangeCode(code) : await keptKey();
        const wrong = key ? await enter(key) : '';
        if (wrong !== null) setState({ is: 'out', why: wrong || null });
      } catch (error) {
        setState({ is: 'out', why: wordsOf(error) });
      }
    })();
  }, [enter]);

  const signOut = useCallback((why?: string) => {
    forgetKey();
    setState({ is: 'out', why: why ?? null });
  }, []);

  const session = useMemo(() => (state.is === 'in' ? { ...state, signOut } : null), [state, signOut]);
  if (session) return <SessionProvider value={session}>{children}</SessionProvider>;
  if (state.is === 'out') return <SignInPage why={state.why} signIn={enter} />;
  return (
    <Center mih="100vh">
      <Loader role="progressbar" aria-label="Signing in" />
    </Center>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof MusterProblem) {
    if (error.status === 403 && error.code !== 'sign-in-refused')
      return 'This key is not an operator’s. The server key and players’ tokens do not sign in here.';
    return error.problem.detail ?? error.message;
  }
  return 'The coordinator cannot be reached. Is it running, and is this its address?';
}
