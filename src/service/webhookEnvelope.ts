/** The result of a call to an app. */
export interface CallResult {
  runId: string;
  appName: string;
  status: number;
  /** The app's answer as JSON text. It is inserted verbatim, so that no digit of it changes. */
  result: string;
  /** Set if the answer was not text: `result` holds its bytes in base64. */
  resultEncoding?: 'base64';
  /** Set if the answer was too long for a webhook: `result` is a string that holds its beginning. */
  truncated?: true;
  /** The full length, in bytes, of an answer of which `result` holds the beginning. */
  resultBytes?: number;
  /** Set if the answer broke off. */
  error?: string;
}

/**
 * The body of a call's webhook: all that the proxy returns for the call, as JSON (service-interface.md, section 6).
 * What that document does not show is Runhook's choice, made here for both the sandbox and test deliveries.
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
