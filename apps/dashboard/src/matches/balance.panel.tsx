import { List, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { PlayerLink } from '../ui/links/links.js';
import { Panel } from '../ui/panel.js';
import { At } from '../ui/values/time.js';
import type { Match } from './match.js';
import { balanceWords, teamWords } from './match-words.js';

/** Orders to change team while the match was played; nothing where there were none. */
export function BalancePanel({
  match: { balance, players },
}: {
  readonly match: Match;
}): ReactElement | null {
  if (balance.length === 0) return null;
  const names = new Map(players.map(({ playerId, name }) => [playerId, name]));
  return (
    <Panel title="Live balance">
      <Stack gap="md">
        {balance.map(({ at, kind, exact, why, moves }) => (
          <div key={at}>
            <Text size="sm" fw={600}>
              <At at={at} /> · {balanceWords[kind]}
              {!exact && ' · good moves, not proven the best'}
            </Text>
            <Text size="sm">{why}</Text>
            <List size="sm">
              {moves.map((move) => (
                <List.Item key={move.playerId}>
                  <PlayerLink id={move.playerId} name={names.get(move.playerId)} />{' '}
                  {move.from === null ? 'joins' : `goes from ${teamWords(move.from)} to`} {teamWords(move.to)}
                  {move.why !== '' && `: ${move.why}`}
                </List.Item>
              ))}
            </List>
          </div>
        ))}
      </Stack>
    </Panel>
  );
}
