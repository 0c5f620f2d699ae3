import { rpc } from '@muster/contracts';
import { grpcServer, type ServiceDefinition } from '@muster/platform';
import { AssignmentModule } from './assignment.module.js';
import { assignmentSettings, type AssignmentSettings } from './settings.js';

export const assignmentService: ServiceDefinition<AssignmentSettings> = {
  name: 'assignment',
  settings: assignmentSettings,
  module: AssignmentModule,
  outbox: 'assignment',
  connect(app, { GRPC_HOST, GRPC_PORT }) {
    app.connectMicroservice(grpcServer(rpc.assignment, GRPC_HOST, GRPC_PORT));
  },
};
