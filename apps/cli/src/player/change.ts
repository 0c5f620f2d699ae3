import type { RatingView } from '@muster/contracts';
import type { OperatorClient } from '@muster/sdk';
import { randomUUID } from 'node:crypto';
import { Connection } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { beliefText } from './history.js';

/** Options of every `muster player`. */
export interface PlayerOptions extends OperatorOptions {
  readonly pool: string;
}

/** Sets a player's rating. @throws Error with a user-facing message */
export function setPlayer(
  playerId: string,
  mu: number,
  options: PlayerOptions & { readonly reason: string; readonly sigma?: number },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { pool, reason, sigma } = options;
  return change(playerId, options, env, 'Set', (operator, eventId) =>
    operator.setRating(pool, playerId, { mu, reason, eventId, ...(sigma === undefined ? {} : { sigma }) }),
  );
}

/** Resets a player to the start value. @throws Error with a user-facing message */
export function resetPlayer(
  playerId: string,
  options: PlayerOptions & { readonly reason: string },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { pool, reason } = options;
  return change(playerId, options, env, 'Reset', (operator, eventId) =>
    operator.resetRating(pool, playerId, { reason, eventId }),
  );
}

async function change(
  playerId: string,
  { json, ...options }: PlayerOptions & { readonly reason: string },
  env: NodeJS.ProcessEnv,
  what: string,
  call: (operator: OperatorClient, eventId: string) => Promise<RatingView>,
): Promise<void> {
  const { pool, reason } = options;
  const connection = await Connection.open(options, env);
  const before = await connection.ask((operator) => operator.rating(pool, playerId));
  // The client may retry the call: the id makes it one event.
  const eventId = `cli-${randomUUID()}`;
  const after = await connection.ask((operator) => call(operator, eventId));
  print(json, after, () => changedText(what, before, after, reason));
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
