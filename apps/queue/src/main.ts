import 'reflect-metadata';
import { main } from '@muster/platform';
import { run } from './service.js';

main(() => run(process.env));
