import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';

/** The options of `muster match end`. */
export type EndOptions = OperatorOptions & {
  readonly reason: string;
  readonly asVoid?: boolean;
  readonly keepPenalties?: boolean;
};

/** Ends a match that has no result. @throws Error with a user-facing message */
export async function endMatch(matchId: string, options: EndOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { reason, asVoid = false, keepPenalties = false } = options;
  const ended = await callMuster(options, env, (operator) =>
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
