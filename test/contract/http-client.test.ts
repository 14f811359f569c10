import { createUndiciClient } from '../../src/adapter/http-undici/index.ts';
import { httpClientContract } from './http-client.ts';

httpClientContract('undici', () => createUndiciClient());
