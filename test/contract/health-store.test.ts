import { createMemoryHealthStore } from '../../src/adapter/store-memory/health-store.ts';
import { healthStoreContract } from './health-store.ts';

healthStoreContract('memory', createMemoryHealthStore);
