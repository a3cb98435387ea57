/** The body of a test delivery, in the shape that the interface document describes (section 6, "Delivery"). */
export function testBody(): unknown {
  return {
    run_id: `test-${crypto.randomUUID().slice(0, 8)}`,
    response: { message: 'A test delivery from Runhook' },
    timestamp: new Date().toISOString(),
  };
}
