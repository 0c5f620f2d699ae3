import 'reflect-metadata';
import { main, runService } from '@muster/platform';
import { allocatorService } from './allocator.service.js';

main(() => runService(allocatorService, process.env));
