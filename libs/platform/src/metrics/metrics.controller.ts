import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Metrics, metricsContentType } from './metrics.js';

/** `/metrics`, open on the port of the service. The edge does not route it: see docs/metrics.md. */
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(Metrics) private readonly metrics: Metrics) {}

  @Get()
  async show(@Res() reply: FastifyReply): Promise<void> {
    await reply.header('content-type', metricsContentType).send(await this.metrics.text());
  }
}
