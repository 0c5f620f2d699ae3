import type { BoosterView, MyBoostersView } from '@muster/contracts';
import { isOpen, type Booster } from '@muster/domain';

/** A booster as operators see it. */
export function boosterView(booster: Booster): BoosterView {
  return { ...booster, matchesLeft: leftOf(booster) };
}

/** A booster as its player sees it. */
export function myBoosterView(booster: Booster): MyBoostersView['boosters'][number] {
  const { boosterId, division, matches, grantedAt } = booster;
  return { boosterId, division, matches, matchesLeft: leftOf(booster), grantedAt };
}

function leftOf(booster: Booster): number {
  return isOpen(booster) ? booster.matches - booster.used : 0;
}
