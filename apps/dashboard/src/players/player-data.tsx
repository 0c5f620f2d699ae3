import { Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { Command } from '../ui/command.js';
import { Panel } from '../ui/panel.js';
import { shellWord } from './shell-word.js';

/** How to export and erase what is stored of a player. */
export function PlayerData({ playerId }: { readonly playerId: string }): ReactElement {
  const id = shellWord(playerId);
  return (
    <Panel title="Data of this player">
      <Stack gap="xs">
        <Text size="sm">
          Export and erasure are commands, not buttons: they read or rewrite every table and both stores,
          which neither a service nor a role of the dashboard may do. Run them where <code>DATABASE_URL</code>{' '}
          of the owner of the tables and <code>REDIS_URL</code> are set.
        </Text>
        <Text size="sm" fw={600}>
          Export everything that is stored
        </Text>
        <Command>{`muster players export ${id} > player.json`}</Command>
        <Text size="sm" fw={600}>
          Erase the player; this cannot be undone
        </Text>
        <Command>{`muster players erase ${id} --reason "why, and who asked"`}</Command>
        <Text size="sm" c="dimmed">
          An erasure is refused while the player is queued or in a match, while a pool is rebuilt, and under a
          legal hold. Ratings and matches of others stay as they are.
        </Text>
      </Stack>
    </Panel>
  );
}
