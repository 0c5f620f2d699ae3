import type { BoosterView } from '@muster/contracts';
import { callMuster } from '@muster/command-line/operator/connection';
import type { OperatorOptions } from '@muster/command-line/operator/options';
import { print } from '@muster/command-line/operator/output';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, plain, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster booster grant`. */
export interface GrantOptions extends OperatorOptions {
  readonly matches?: number;
  readonly eventId?: string;
  readonly reason: string;
}

/** Options of `muster booster revoke`. */
export interface RevokeOptions extends OperatorOptions {
  readonly reason?: string;
}

type Env = NodeJS.ProcessEnv;

/** @throws Error with a user-facing message, as all functions here */
export async function grantBooster(
  pool: string,
  playerId: string,
  division: string,
  { matches, eventId, reason, ...options }: GrantOptions,
  env: Env,
): Promise<void> {
  const booster = await callMuster(options, env, (operator) =>
    operator.grantBooster(pool, {
      playerId,
      division,
      reason,
      ...(matches === undefined ? {} : { matches }),
      ...(eventId === undefined ? {} : { eventId }),
    }),
  );
  print(options.json, booster, () => [
    `${playerId} has the booster ${booster.boosterId} for ${division}: ${leftText(booster)}, × ${plain(booster.kFactor)}.`,
  ]);
}

export async function listBoosters(
  pool: string,
  playerId: string,
  options: OperatorOptions,
  env: Env,
): Promise<void> {
  const { boosters } = await callMuster(options, env, (operator) => operator.boosters(pool, { playerId }));
  print(options.json, { boosters }, () =>
    boosters.length === 0
      ? [`${playerId} has no boosters in "${pool}".`]
      : tableLines(
          [
            { head: 'booster' },
            { head: 'division' },
            { head: 'matches', right: true },
            { head: 'left', right: true },
            { head: 'granted' },
            { head: 'why' },
          ],
          boosters.map((booster) => [
            booster.boosterId,
            booster.division,
            `${booster.matches}`,
            `${booster.matchesLeft}`,
            moment(booster.grantedAt),
            whyText(booster),
          ]),
        ),
  );
}

export async function revokeBooster(
  pool: string,
  boosterId: string,
  { reason, ...options }: RevokeOptions,
  env: Env,
): Promise<void> {
  const booster = await callMuster(options, env, (operator) =>
    operator.revokeBooster(pool, boosterId, reason === undefined ? {} : { reason }),
  );
  print(options.json, booster, () => [
    `${boosterId} of ${booster.playerId} is revoked after ${counted(booster.used, 'match', 'matches')}.`,
  ]);
}

function leftText({ matchesLeft }: BoosterView): string {
  return `${counted(matchesLeft, 'match', 'matches')} left`;
}

function whyText({ reason, revoked }: BoosterView): string {
  return revoked ? `${reason} (revoked: ${revoked.reason})` : reason;
}
