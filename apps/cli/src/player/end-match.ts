import { Connection } from '../operator/connection.js';
import type { OperatorOptions } from '../operator/options.js';
import { print } from '../operator/output.js';

/** The options of `muster match end`. */
export type EndOptions = OperatorOptions & {
  readonly reason: string;
  readonly asVoid?: boolean;
  readonly keepPenalties?: boolean;
};

/** Ends a match that has no result. @throws Error with a user-facing message */
export async function endMatch(matchId: string, options: EndOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { reason, asVoid = false, keepPenalties = false } = options;
  const connection = await Connection.open(options, env);
  const ended = await connection.ask((operator) =>
    operator.endMatch(matchId, {
      reason,
      as: asVoid ? 'void' : 'abandoned',
      penalties: keepPenalties ? 'keep' : 'drop',
    }),
  );
  print(options.json, ended, () => [
    ended.ended
      ? `The match ${matchId} is ended. Its players may queue again, and its server is told.`
      : `The match ${matchId} was ended before.`,
  ]);
}
