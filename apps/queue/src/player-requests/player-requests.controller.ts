import { DataRequestBody, type MyData } from '@muster/contracts';
import { Endpoint, playerOf, Sent, Who, type Identity } from '@muster/platform';
import { Body, Controller, Inject } from '@nestjs/common';
import { PlayerRequests } from './player-requests.js';

@Controller()
export class PlayerRequestsController {
  constructor(@Inject(PlayerRequests) private readonly requests: PlayerRequests) {}

  @Endpoint('myData')
  mine(@Who() who: Identity): Promise<MyData> {
    return this.requests.of(playerOf(who));
  }

  @Endpoint('requestMyData')
  export(@Body({ schema: DataRequestBody }) _body: unknown, @Who() who: Identity): Promise<MyData> {
    return this.requests.ask(playerOf(who), 'export');
  }

  @Endpoint('requestMyErasure')
  erase(@Body({ schema: DataRequestBody }) _body: unknown, @Who() who: Identity): Promise<MyData> {
    return this.requests.ask(playerOf(who), 'erasure');
  }

  @Endpoint('withdrawDataRequest')
  withdraw(
    @Sent() { params, who }: Sent<'withdrawDataRequest'>,
    @Body({ schema: DataRequestBody }) _body: unknown,
  ): Promise<MyData> {
    return this.requests.withdraw(playerOf(who), params.kind);
  }
}
