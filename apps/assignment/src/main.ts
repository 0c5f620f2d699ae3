import 'reflect-metadata';
import { main, runService } from '@muster/platform';
import { assignmentService } from './assignment.service.js';

main(() => runService(assignmentService, process.env));
