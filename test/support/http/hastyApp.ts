import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const program = `const app = require('node:http').createServer((_, response) => response.writeHead(204).end());
  app.listen(0, '127.0.0.1', () => console.log(app.address().port));`;

/**
 * An app that answers 204 and does not read what is sent. It is a process of its own: in that of the test it would
 * answer before anything is sent.
 */
export async function startHastyApp(): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
