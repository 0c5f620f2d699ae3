import { Module } from '@nestjs/common';
import { JobsController } from './jobs.controller.js';

/** Operators read the job queues of all services, and retry or drop dead letters. */
@Module({ controllers: [JobsController] })
export class JobsModule {}
