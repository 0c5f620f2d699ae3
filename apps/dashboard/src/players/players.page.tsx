import { Button, Group, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent, type ReactElement } from 'react';
import { Page } from '../ui/page.js';
import { Panel } from '../ui/panel.js';
import { BansPanel } from './conduct/bans.js';
import { ForgiveMany } from './conduct/forgive-many.js';

/** Players: found by id, kept out, and forgiven. */
export function PlayersPage(): ReactElement {
  return (
    <Page title="Players">
      <FindPlayer />
      <BansPanel />
      <ForgiveMany />
    </Page>
  );
}

function FindPlayer(): ReactElement {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const find = (event: FormEvent): void => {
    event.preventDefault();
    const playerId = text.trim();
    if (playerId !== '') void navigate({ to: '/players/$playerId', params: { playerId } });
  };
  return (
    <Panel title="Find a player">
      <form onSubmit={find}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Player’s id"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            style={{ flexGrow: 1, maxWidth: 420 }}
          />
          <Button type="submit" variant="default">
            Show
          </Button>
        </Group>
      </form>
      <Text size="sm" c="dimmed" mt="xs">
        Enter the id from the game’s login; the search at the top does the same. There is no search by name,
        since names are not unique. Leaderboards and matches link to players, too.
      </Text>
    </Panel>
  );
}
