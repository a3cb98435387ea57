import { webhookEnvelope } from '../../model/deliveries/webhookEnvelope.ts';

/** The body of a test delivery: that of a webhook of the service. */
export function testBody(): string {
  const runId = `test-${crypto.randomUUID().slice(0, 8)}`;
  const result = JSON.stringify({ message: 'A test delivery from Runhook' });
  return webhookEnvelope({ runId, appName: 'test', status: 200, result }, Date.now());
}
