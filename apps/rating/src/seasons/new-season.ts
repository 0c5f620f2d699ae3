import type { SeasonView } from '@muster/contracts';
import { PoolInvalid, SeasonConflict, TimePast, type RatingPool, type SeasonRules } from '@muster/domain';

/** A season of a pool: announced, running or ended. */
export type StoredSeason = Omit<SeasonView, 'state'>;
/** A season that begins, or is announced. */
export type NewSeason = Pick<StoredSeason, 'pool' | 'number' | 'name' | 'rules' | 'by' | 'reason'>;
/** What an operator says of the next season. What is left out stays as it was announced, or is the default. */
export type GivenSeason = Pick<NewSeason, 'pool' | 'number' | 'by'> &
  Partial<Pick<StoredSeason, 'name' | 'rules' | 'startsAt' | 'reason'>>;

/** How far in the past a season may begin, in milliseconds: calls take time, and clocks differ. */
const latestMs = 60_000;

/** The given rules, or those of the pool. @throws PoolInvalid when there are none */
export function seasonRulesOf({ name, rules }: RatingPool, given: SeasonRules | undefined): SeasonRules {
  const found = given ?? rules.season;
  if (!found)
    throw new PoolInvalid(
      `"${name}" has no season rules: give "rules", or set them with POST /v1/pools/${name}/rules.`,
      { pool: name },
    );
  const { keep, uncertainty, placementMatches } = found;
  return { keep, uncertainty, placementMatches };
}

/**
 * A season as it is to be written: what is given, then what was announced, then defaults.
 *
 * @throws PoolInvalid when there are no rules
 */
export function newSeason(pool: RatingPool, given: GivenSeason, announced: StoredSeason | null): NewSeason {
  const { number, by } = given;
  return {
    pool: pool.name,
    number,
    name: given.name ?? announced?.name ?? `Season ${number}`,
    rules: seasonRulesOf(pool, given.rules ?? announced?.rules),
    by,
    reason: given.reason ?? announced?.reason ?? 'A new season.',
  };
}

/** A season that has begun cannot be changed. @throws SeasonConflict when what is given differs from it */
export function refuseOther(begun: StoredSeason, given: GivenSeason, next: number): void {
  const differences = differencesOf(begun, given);
  if (differences.length === 0) return;
  throw new SeasonConflict(
    `Season ${begun.number} of "${begun.pool}" has begun and cannot be changed: ${differences.join(', ')}; the next one is season ${next}.`,
    { pool: begun.pool, next },
  );
}

/**
 * A start cannot be undone. So a call that changes what was announced, and gives no time, is taken for a slip: it would begin the
 * season now.
 *
 * @throws SeasonConflict
 */
export function refuseChangeAtStart(announced: StoredSeason | null, given: GivenSeason): void {
  if (!announced || announced.startsAt === null || given.startsAt !== undefined) return;
  const differences = differencesOf(announced, given);
  if (differences.length === 0) return;
  const { pool, number, startsAt } = announced;
  throw new SeasonConflict(
    `Season ${number} of "${pool}" is announced for ${timeText(startsAt)}, and ${differences.join(', ')}. Give \`startsAt\` to change the announcement, or leave the other fields out to begin it now.`,
    { pool, next: number },
  );
}

/** What is in force where something else is given. */
function differencesOf(known: StoredSeason, { name, rules, startsAt, reason }: GivenSeason): string[] {
  const { startedAt } = known;
  return [
    ...(name !== undefined && name !== known.name ? [`its name is "${known.name}"`] : []),
    ...(rules && !isSame(rules, known.rules) ? [`its rules are ${rulesText(known.rules)}`] : []),
    ...(typeof startsAt === 'number' &&
    startedAt !== null &&
    startsAt !== startedAt &&
    startsAt !== known.startsAt
      ? [`it began at ${timeText(startedAt)}`]
      : []),
    ...(reason !== undefined && reason !== known.reason ? [`its reason is "${known.reason}"`] : []),
  ];
}

function isSame(one: SeasonRules, other: SeasonRules): boolean {
  return (
    one.keep === other.keep &&
    one.uncertainty === other.uncertainty &&
    one.placementMatches === other.placementMatches
  );
}

const rulesText = ({ keep, uncertainty, placementMatches }: SeasonRules): string =>
  `keep ${keep}, uncertainty ${uncertainty}, placementMatches ${placementMatches}`;

/**
 * The start of a season cannot be undone, so a slip of the time may not cause it: seconds in place of milliseconds are a time
 * in 1970. A call that is repeated after the announced time passed is none.
 *
 * @param now milliseconds since the epoch @throws TimePast
 */
export function refusePast(
  { pool, startsAt }: GivenSeason,
  announced: StoredSeason | null,
  now: number,
): void {
  if (typeof startsAt !== 'number' || startsAt >= now - latestMs || startsAt === announced?.startsAt) return;
  const at = timeText(startsAt);
  throw new TimePast(
    `A season cannot begin in the past, and \`startsAt\` is ${at}. Give milliseconds since the Unix epoch, such as ${now}, or ISO 8601, such as ${timeText(now)}; omit it to begin now.`,
    { pool, startsAt: at },
  );
}

const timeText = (at: number): string => new Date(at).toISOString();
