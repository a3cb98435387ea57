// Sends a request through undici, with or without the system's certificates, and prints the status or the error:
// `node askWithSystemStore.ts <url> <true|false>`. A separate process, because Node reads the certificates only once.
import { readText } from '../../../src/service/client/answer.ts';
import { createUndiciTransport } from '../../../src/service/client/undiciTransport.ts';

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
