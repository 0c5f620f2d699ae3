import { rpc } from '@muster/contracts';
import type { ServiceDefinition } from '@muster/platform';
import { AssignmentModule } from './assignment.module.js';
import { assignmentSettings, type AssignmentSettings } from './settings.js';

export const assignmentService: ServiceDefinition<AssignmentSettings> = {
  name: 'assignment',
  settings: assignmentSettings,
  module: AssignmentModule,
  outbox: 'assignment',
  connect(app, { GRPC_HOST, GRPC_PORT }, _log, wire) {
    app.connectMicroservice(wire.serve(rpc.assignment, GRPC_HOST, GRPC_PORT));
  },
};
