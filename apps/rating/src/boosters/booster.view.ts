import type { BoosterView, MyBoostersView } from '@muster/contracts';
import type { Booster } from './boosters.store.js';

/** A booster as operators see it. */
export function boosterView(booster: Booster): BoosterView {
  return { ...booster, matchesLeft: leftOf(booster) };
}

/** A booster as its player sees it. */
export function myBoosterView(booster: Booster): MyBoostersView['boosters'][number] {
  const { boosterId, division, matches, grantedAt } = booster;
  return { boosterId, division, matches, matchesLeft: leftOf(booster), grantedAt };
}

function leftOf({ matches, used, revokedAt }: Booster): number {
  return revokedAt === null ? Math.max(0, matches - used) : 0;
}
