import 'reflect-metadata';
import { main } from '@muster/platform';
import { run } from './wiring/service.js';

main(() => run(process.env));
