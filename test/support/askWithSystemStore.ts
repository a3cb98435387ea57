// Asks an address through undici with the operating system's certificates, or without them, and prints the
// status or the reason of the failure. A process of its own: a process reads the system's store once.
import { readText } from '../../src/client/answer.ts';
import { createUndiciTransport } from '../../src/client/undiciTransport.ts';

const [address = '', systemCertificates = ''] = process.argv.slice(2);
const transport = createUndiciTransport({
  proxySupport: 'off',
  strictSsl: true,
  systemCertificates: systemCertificates === 'true',
});
try {
  const response = await transport.send({
    method: 'GET',
    url: new URL(address),
    headers: {},
    timeoutMs: 10_000,
  });
  console.log(response.status);
  await readText(response);
} catch (error) {
  console.log(error instanceof Error ? error.message : String(error));
}
await transport.close();
