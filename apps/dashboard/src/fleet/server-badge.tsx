import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import { conditionOf, type Condition, type Server } from './server-state.js';

const conditions: Readonly<Record<Condition, readonly [colour: string, meaning: string]>> = {
  ready: ['green', 'It takes matches.'],
  draining: ['blue', 'It takes no new matches; running ones continue.'],
  overloaded: ['orange', 'Its load is above a limit: it gets no match until it recovers.'],
  silent: ['red', 'It was not heard in time: it gets no match.'],
  lost: ['gray', 'It was silent for too long. It may register again.'],
  left: ['gray', 'It left, or an operator removed it.'],
};

/** What a server is up to. */
export function ServerBadge({ server }: { readonly server: Server }): ReactElement {
  const condition = conditionOf(server);
  const [color, meaning] = conditions[condition];
  return (
    <Badge color={color} variant="dot" title={meaning} miw={104}>
      {condition}
    </Badge>
  );
}
