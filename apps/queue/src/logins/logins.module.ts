import { CoordinatorTokens, guestPrefix, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { QUEUE_SETTINGS, type QueueSettings } from '../settings.js';
import { Guests } from './guests.js';
import { LoginsController } from './logins.controller.js';

/** 128 bits, of a secret that is random: the same after a rotation of the coordinator's key. */
const idOf = (deviceId: string): string =>
  createHash('sha256').update(`muster guest ${deviceId}`).digest().subarray(0, 16).toString('base64url');

/** Guests sign in, and operators check tokens of players. */
@Module({
  controllers: [LoginsController],
  providers: [
    {
      provide: Guests,
      inject: [QUEUE_SETTINGS, CoordinatorTokens, SharedClock],
      useFactory: (settings: QueueSettings, own: CoordinatorTokens, clock: SharedClock) =>
        new Guests(settings.GUEST_LOGIN === 'on', own, clock, idOf, guestPrefix),
    },
  ],
})
export class LoginsModule {}
