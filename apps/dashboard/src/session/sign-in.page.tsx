import { Alert, Button, Card, Center, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState, type FormEvent, type ReactElement } from 'react';

/** Asks for a key or a token. @param why why it is asked for again */
export function SignInPage({
  why,
  signIn,
}: {
  readonly why: string | null;
  /** Resolves to what is wrong with the key, or null. */
  readonly signIn: (key: string) => Promise<string | null>;
}): ReactElement {
  const [key, setKey] = useState('');
  const [wrong, setWrong] = useState<string | null>(why);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setWrong(await signIn(key.trim()));
    setBusy(false);
  };
  return (
    <Center mih="100vh" p="md">
      <Card withBorder w={420} maw="100%" component="main">
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Title order={1} size="h3">
              Muster
            </Title>
            <Text c="dimmed" size="sm">
              Sign in with your operator key, or a token of your identity provider. It stays in this tab until
              you close it or sign out.
            </Text>
            {wrong !== null && (
              <Alert color="red" role="alert">
                {wrong}
              </Alert>
            )}
            <PasswordInput
              label="Key or token"
              autoComplete="off"
              autoFocus
              required
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            <Button type="submit" loading={busy} disabled={key.trim() === ''}>
              Sign in
            </Button>
            <Text c="dimmed" size="xs">
              An admin makes keys with <code>muster keys create</code>; <code>muster dashboard</code> prints a
              link that signs you in once.
            </Text>
          </Stack>
        </form>
      </Card>
    </Center>
  );
}
