import type { RatingView } from '@muster/contracts';
import type { OperatorClient } from '@muster/sdk';
import { randomUUID } from 'node:crypto';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { beliefText } from './history.js';

interface SetOptions {
  readonly pool: string;
  readonly reason: string;
  readonly sigma?: number;
}

/** Sets a player's rating. */
export function setPlayer(
  ask: Ask,
  playerId: string,
  mu: number,
  { pool, reason, sigma }: SetOptions,
): Promise<Answer> {
  return change(ask, pool, playerId, reason, 'Set', (operator, eventId) =>
    operator.setRating(pool, playerId, { mu, reason, eventId, sigma }),
  );
}

/** Resets a player to the start value. */
export function resetPlayer(
  ask: Ask,
  playerId: string,
  { pool, reason }: Pick<SetOptions, 'pool' | 'reason'>,
): Promise<Answer> {
  return change(ask, pool, playerId, reason, 'Reset', (operator, eventId) =>
    operator.resetRating(pool, playerId, { reason, eventId }),
  );
}

async function change(
  ask: Ask,
  pool: string,
  playerId: string,
  reason: string,
  what: string,
  call: (operator: OperatorClient, eventId: string) => Promise<RatingView>,
): Promise<Answer> {
  const before = await ask((operator) => operator.rating(pool, playerId));
  // The client may retry the call: the id makes it one event.
  const eventId = `cli-${randomUUID()}`;
  const after = await ask((operator) => call(operator, eventId));
  return { json: after, text: () => changedText(what, before, after, reason) };
}

/** What came of it, in a sentence. */
export function changedText(what: string, before: RatingView, after: RatingView, reason: string): string[] {
  const moved =
    before.division.name === after.division.name
      ? after.division.name
      : `${before.division.name} → ${after.division.name}`;
  return [
    `${what} ${after.playerId} in pool ${after.pool}: ${beliefText(before)} → ${beliefText(after)} (${moved}). Stored in the history: ${reason}`,
  ];
}
