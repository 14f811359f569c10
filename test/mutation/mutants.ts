import { anthropicMessagesFaults } from './faults/anthropic-messages.ts';
import { attemptFaults } from './faults/attempt.ts';
import { bytesFaults } from './faults/bytes.ts';
import { catalogueFaults } from './faults/catalogue.ts';
import { circuitFaults } from './faults/circuit.ts';
import { failureFaults } from './faults/failure.ts';
import { healthFaults } from './faults/health.ts';
import { httpAndMetricsFaults } from './faults/http-and-metrics.ts';
import { keptFaults } from './faults/kept.ts';
import { ledgerFaults } from './faults/ledger.ts';
import { managementFaults } from './faults/management.ts';
import { nextStepFaults } from './faults/next-step.ts';
import { openaiChatFaults } from './faults/openai-chat.ts';
import { openaiResponsesFaults } from './faults/openai-responses.ts';
import { proberFaults } from './faults/prober.ts';
import { requestFaults } from './faults/request.ts';
import { routingFaults } from './faults/routing.ts';
import { serverFaults } from './faults/server.ts';
import { storeFaults } from './faults/store.ts';
import { streamFaults } from './faults/stream.ts';
import type { Mutant } from './types.ts';

/** Each a mistake that a person might make. */
export const mutants: readonly Mutant[] = [
  ...failureFaults,
  ...streamFaults,
  ...nextStepFaults,
  ...ledgerFaults,
  ...healthFaults,
  ...catalogueFaults,
  ...circuitFaults,
  ...proberFaults,
  ...routingFaults,
  ...attemptFaults,
  ...requestFaults,
  ...bytesFaults,
  ...openaiChatFaults,
  ...anthropicMessagesFaults,
  ...openaiResponsesFaults,
  ...serverFaults,
  ...managementFaults,
  ...keptFaults,
  ...storeFaults,
  ...httpAndMetricsFaults,
];
