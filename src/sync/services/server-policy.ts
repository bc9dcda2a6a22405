/** The policy for the server of this account, asked anew at each use because every answer may teach more. */
import { policyOf, type ServerPolicy } from '../../protocol/server-policy.ts';
import { type Services, stateOf } from './services.ts';

export const serverPolicy = (services: Services): ServerPolicy => policyOf(stateOf(services).local.capabilities);
