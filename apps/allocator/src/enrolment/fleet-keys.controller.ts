import type { FleetKeyCreated, FleetKeyView } from '@muster/contracts';
import { Endpoint, operatorOf, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';
import { FleetKeys } from './fleet-keys.js';

/** Keys with which servers of a fleet register. */
@Controller()
export class FleetKeysController {
  constructor(@Inject(FleetKeys) private readonly keys: FleetKeys) {}

  @Endpoint('createFleetKey')
  create(@Sent() { body, who }: Sent<'createFleetKey'>): Promise<FleetKeyCreated> {
    return this.keys.create(body, operatorOf(who).name);
  }

  @Endpoint('listFleetKeys')
  list(): Promise<{ keys: FleetKeyView[] }> {
    return this.keys.list();
  }

  @Endpoint('changeFleetKey')
  change(@Sent() { params, body }: Sent<'changeFleetKey'>): Promise<FleetKeyView> {
    return this.keys.change(params.keyId, body);
  }

  @Endpoint('revokeFleetKey')
  revoke(@Sent() { params, query }: Sent<'revokeFleetKey'>): Promise<FleetKeyView> {
    return this.keys.revoke(params.keyId, query.servers === 'end');
  }
}
