import type { Guest, LoginCheck } from '@muster/contracts';
import type { Clock } from '@muster/domain';
import { checkToken, Endpoint, Logins, Sent, SharedClock } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { Guests } from './guests.js';

@Controller()
export class LoginsController {
  constructor(
    @Inject(Guests) private readonly guests: Guests,
    @Inject(Logins) private readonly logins: Logins,
    @Inject(SharedClock) private readonly clock: Clock,
  ) {}

  @Endpoint('guestLogin')
  guest(@Sent() { body }: Sent<'guestLogin'>): Guest {
    return this.guests.signIn(body.deviceId);
  }

  @Endpoint('checkToken')
  check(@Sent() { body }: Sent<'checkToken'>): Promise<LoginCheck> {
    return checkToken(this.logins, body.token, this.clock.now());
  }
}
