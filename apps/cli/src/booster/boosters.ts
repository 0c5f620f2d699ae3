import type { BoosterView } from '@muster/contracts';
import type { Ask } from '@muster/command-line/operator/connection';
import type { Answer } from '@muster/command-line/operator/define';
import { moment } from '@muster/command-line/terminal/moment';
import { counted, plain, right, tableLines } from '@muster/command-line/terminal/table';

/** Options of `muster booster grant`. */
export interface GrantOptions {
  readonly matches?: number;
  readonly eventId?: string;
  readonly reason: string;
}

export async function grantBooster(
  ask: Ask,
  pool: string,
  playerId: string,
  division: string,
  { matches, eventId, reason }: GrantOptions,
): Promise<Answer> {
  const booster = await ask((operator) =>
    operator.grantBooster(pool, { playerId, division, reason, matches, eventId }),
  );
  const left = counted(booster.matchesLeft, 'match', 'matches');
  const text = `${playerId} has the booster ${booster.boosterId} for ${division}: ${left} left, × ${plain(booster.kFactor)}.`;
  return { json: booster, text: () => [text] };
}

export async function listBoosters(ask: Ask, pool: string, playerId: string): Promise<Answer> {
  const { boosters } = await ask((operator) => operator.boosters(pool, { playerId }));
  return {
    json: { boosters },
    text: () =>
      boosters.length === 0
        ? [`${playerId} has no boosters in "${pool}".`]
        : tableLines(
            ['booster', 'division', ...right('matches', 'left'), 'granted', 'why'],
            boosters.map((booster) => [
              booster.boosterId,
              booster.division,
              `${booster.matches}`,
              `${booster.matchesLeft}`,
              moment(booster.grantedAt),
              whyText(booster),
            ]),
          ),
  };
}

export async function revokeBooster(
  ask: Ask,
  pool: string,
  boosterId: string,
  { reason }: { readonly reason?: string },
): Promise<Answer> {
  const booster = await ask((operator) => operator.revokeBooster(pool, boosterId, { reason }));
  const used = counted(booster.used, 'match', 'matches');
  return { json: booster, text: () => [`${boosterId} of ${booster.playerId} is revoked after ${used}.`] };
}

function whyText({ reason, revoked }: BoosterView): string {
  return revoked ? `${reason} (revoked: ${revoked.reason})` : reason;
}
