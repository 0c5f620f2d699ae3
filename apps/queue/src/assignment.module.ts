import { rpc } from '@muster/contracts';
import { Connections, Dependencies, RPC, token, type RpcCaller, type RpcWire } from '@muster/platform';
import { Module } from '@nestjs/common';
import { QUEUE_SETTINGS, type QueueSettings } from './settings.js';

/** A service that cannot be reached within this time is reported, in milliseconds. */
export const dependencyMs = 800;

/** The assignment service: it has match rosters and verdicts on proposals. */
export const ASSIGNMENT = token<RpcCaller>('assignment service');

/** The connection to the assignment service. */
@Module({
  providers: [
    {
      provide: ASSIGNMENT,
      inject: [QUEUE_SETTINGS, RPC, Connections, Dependencies],
      useFactory: (
        { ASSIGNMENT_GRPC }: QueueSettings,
        wire: RpcWire,
        connections: Connections,
        dependencies: Dependencies,
      ) => {
        const assignment = wire.connect(rpc.assignment, ASSIGNMENT_GRPC);
        connections.add(() => assignment.close());
        dependencies.add('helpful', { name: 'assignment', check: () => assignment.reachable(dependencyMs) });
        return assignment;
      },
    },
  ],
  exports: [ASSIGNMENT],
})
export class AssignmentModule {}
