/** What a call of an app came to. */
export interface CallResult {
  runId: string;
  appName: string;
  status: number;
  /** The app's answer as the text of a value of JSON. It goes in as it stands: no digit of it changes. */
  result: string;
  /** The answer was no text: `result` holds its bytes in base64. */
  resultEncoding?: 'base64';
  /** The answer was too long for a webhook: `result` is a string that holds its beginning. */
  truncated?: true;
  /** How long an answer was, in bytes, of which `result` holds the beginning. */
  resultBytes?: number;
  /** The answer broke off. */
  error?: string;
}

/**
 * All that the proxy returns for a call, as JSON: the body of its webhook (service-interface.md, section 6).
 * What the document does not show is Runhook's choice, made here for the sandbox and for test deliveries alike.
 * @param now Unix milliseconds
 */
export function webhookEnvelope(call: CallResult, now: number): string {
  const { runId, appName, status, result, resultEncoding, truncated, resultBytes, error } = call;
  const before = textOfFields({ run_id: runId, app_name: appName, status });
  const after = textOfFields({
    result_encoding: resultEncoding,
    truncated,
    result_bytes: resultBytes,
    error,
    timestamp: Math.floor(now / 1000),
  });
  return `{${before},"result":${result},${after}}`;
}

function textOfFields(fields: Record<string, unknown>): string {
  return JSON.stringify(fields).slice(1, -1);
}
