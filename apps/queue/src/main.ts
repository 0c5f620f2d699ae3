import 'reflect-metadata';
import { main, runService } from '@muster/platform';
import { queueService } from './queue.service.js';

main(() => runService(queueService, process.env));
