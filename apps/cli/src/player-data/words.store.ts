import {
  BackfillUpdate,
  BalanceSession,
  Conduct,
  FillSeatJob,
  FormTeamsJob,
  jobQueues,
  MatchJob,
  MatchRated,
  MatchUpdate,
  openApiDocument,
  SeatFilled,
} from '@muster/contracts';
import type { Db } from '@muster/db';
import { z } from 'zod';

const jobs = [
  BackfillUpdate,
  BalanceSession,
  Conduct,
  FillSeatJob,
  FormTeamsJob,
  MatchJob,
  MatchRated,
  MatchUpdate,
  SeatFilled,
];
/** Fields of a job's hash and of a proposal's, whose names are in no schema. */
const stored =
  'name data opts timestamp delay priority processedOn finishedOn returnvalue failedReason stacktrace atm ats stc attempts attemptsMade backoff jobId removeOnComplete removeOnFail job by of blame missing';

/** Every name of a field and every value of an enumeration, as JSON. */
function ourWords(): string {
  const schemas = jobs.map((schema) => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  return JSON.stringify([openApiDocument('0'), schemas, Object.values(jobQueues), stored.split(' ')]);
}

/**
 * Whether a player's id is also a word of the system: the name of a field, a state, a queue, pool, region, build, server, map or
 * role. Values in Redis are texts that do not tell one from the other.
 */
export async function isWord(db: Db, playerId: string): Promise<boolean> {
  const quoted = JSON.stringify(playerId);
  if (ourWords().includes(quoted)) return true;
  const [row] = await db.$sql.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM rating_pool WHERE name = ${playerId})
      OR EXISTS (SELECT 1 FROM queue_rules WHERE queue = ${playerId} OR strpos(rules::text, ${quoted}) > 0)
      OR EXISTS (SELECT 1 FROM server WHERE id = ${playerId} OR region = ${playerId} OR build = ${playerId}) AS found`;
  return row?.found === true;
}
