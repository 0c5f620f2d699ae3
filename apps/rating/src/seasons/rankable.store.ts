import { sqlPart } from '@muster/db';
import { botIdPrefix, pseudonymPattern } from '@muster/domain';

/** `isRankable` of a column `player_id`. */
export const rankableSql = sqlPart`NOT starts_with(player_id, ${botIdPrefix}) AND player_id !~ ${pseudonymPattern}`;
