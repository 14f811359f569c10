import { createEnvironmentSecrets } from '../../src/adapter/secrets-env/index.ts';
import { secretsContract } from './secrets.ts';

secretsContract('environment', ({ variables, stateDir }) => createEnvironmentSecrets({ env: variables, stateDir }));
