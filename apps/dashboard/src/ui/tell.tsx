import { Affix, Notification, Stack } from '@mantine/core';
import { createContext, useCallback, useContext, useState, type ReactElement, type ReactNode } from 'react';

const shownMs = 6_000;
const TellContext = createContext<(words: string) => void>(() => undefined);

/** Says for some seconds that something is done. */
export const useTell = (): ((words: string) => void) => useContext(TellContext);

export function Teller({ children }: { readonly children: ReactNode }): ReactElement {
  const [told, setTold] = useState<readonly { readonly id: number; readonly words: string }[]>([]);
  const tell = useCallback((words: string) => {
    const id = performance.now();
    setTold((now) => [...now, { id, words }]);
    setTimeout(() => setTold((now) => now.filter((each) => each.id !== id)), shownMs);
  }, []);
  return (
    <TellContext value={tell}>
      {children}
      <Affix position={{ bottom: 16, right: 16 }}>
        <Stack gap="xs" role="status" aria-live="polite">
          {told.map(({ id, words }) => (
            <Notification key={id} withCloseButton={false} color="green">
              {words}
            </Notification>
          ))}
        </Stack>
      </Affix>
    </TellContext>
  );
}
