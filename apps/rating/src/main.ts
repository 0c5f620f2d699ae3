import 'reflect-metadata';
import { main, runService } from '@muster/platform';
import { ratingService } from './rating.service.js';

main(() => runService(ratingService, process.env));
