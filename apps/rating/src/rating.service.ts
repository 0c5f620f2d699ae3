import { rpc } from '@muster/contracts';
import type { ServiceDefinition } from '@muster/platform';
import { LineServer } from './line-protocol/line-server.js';
import { LineTransport } from './line-protocol/line-transport.js';
import { Weights } from './line-protocol/weights.js';
import { readLineSettings } from './line-settings.js';
import { RatingModule } from './rating.module.js';
import { ratingSettings, type RatingSettings } from './settings.js';

export const ratingService: ServiceDefinition<RatingSettings> = {
  name: 'rating',
  settings: ratingSettings,
  module: RatingModule,
  outbox: 'rating',
  connect(app, settings, log, wire) {
    app.connectMicroservice(wire.serve(rpc.rating, settings.GRPC_HOST, settings.GRPC_PORT));
    const lines = readLineSettings(settings);
    if (lines === null) return;
    const weights = app.get(Weights);
    const refused = (count: number): void =>
      log.warn({ count }, 'the line protocol refused connections over its limits');
    const server = new LineServer(
      lines,
      (question) => weights.answer(question),
      refused,
      () => performance.now(),
    );
    const strategy = new LineTransport(server, (port) =>
      log.info({ host: lines.host, port }, 'the line protocol is listening'),
    );
    app.connectMicroservice({ strategy });
  },
};
