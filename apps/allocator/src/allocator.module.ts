import { Module } from '@nestjs/common';
import { BackfillModule } from './backfill/backfill.module.js';
import { FleetModule } from './fleet/fleet.module.js';
import { PlacementModule } from './placement/placement.module.js';
import { ScaleOutModule } from './scale-out/scale-out.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SlotFiguresModule } from './slots/slot-figures.module.js';

/** Registers servers, places matches on them and receives results. */
@Module({
  imports: [FleetModule, PlacementModule, SessionsModule, BackfillModule, ScaleOutModule, SlotFiguresModule],
})
export class AllocatorModule {}
