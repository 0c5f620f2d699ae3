import type { Db } from '@muster/db';
import type { HabitNotes } from '@muster/domain';
import { DB, habitHash, token } from '@muster/platform';
import { Module } from '@nestjs/common';
import { RATING_SETTINGS, type RatingSettings } from '../settings.js';
import { PostgresHabitNotes } from './habits.store.js';

/** Keeps the habits that reported results tell. */
export const HABITS = token<HabitNotes>('habits');

/** Habits of players. */
@Module({
  providers: [
    {
      provide: HABITS,
      inject: [DB, RATING_SETTINGS],
      useFactory: (db: Db, { COORDINATOR_KEY }: RatingSettings): HabitNotes =>
        new PostgresHabitNotes(db, habitHash(COORDINATOR_KEY)),
    },
  ],
  exports: [HABITS],
})
export class HabitsModule {}
