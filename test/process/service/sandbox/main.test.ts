import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { request } from 'undici';
import { Receiver } from '../../../support/http/receiver.ts';
import { sandboxEntry as main } from '../../../support/processes/entryPoints.ts';
import { SandboxProgram } from '../../../support/service/sandboxProgram.ts';

describe('the sandbox as a program', () => {
  it('prints where it is in one line of JSON, and takes apps', async () => {
    const app = await Receiver.start();
    const program = await SandboxProgram.start([
      ...['--app', `mine=${app.url}/base?x=1`],
      ...['--app', 'echo=http://127.0.0.1:9'],
    ]);
    const { address } = program;
    assert.deepEqual(Object.keys(address), [
      'baseUrl',
      'proxyUrl',
      'projectId',
      'serviceAccountId',
      'token',
      'apps',
      'serviceAccounts',
    ]);
    assert.deepEqual(
      address.apps.map(({ name }) => name),
      ['hello', 'echo', 'sleep', 'fail', 'stream', 'mine'],
    );
    const headers = { authorization: `Bearer ${address.token}` };
    const mine = await request(`${address.proxyUrl}/v4/${address.projectId}/mine/run`, { headers });
    assert.equal(mine.statusCode, 200);
    const echo = await request(`${address.proxyUrl}/v4/${address.projectId}/echo/run`, { headers });
    assert.equal(echo.statusCode, 502);
    await program.stop();
    await app.close();
  });

  for (const [args, reason] of [
    [['--port', '70000'], /The port must be a whole number/],
    [['--port', 'x'], /The port must be a whole number/],
    [['--port', ''], /The port must be a whole number/],
    [['--port', '0x50'], /The port must be a whole number/],
    [['--app', 'mine'], /Write an app as --app NAME=URL/],
    [
      ['--app', 'mine=127.1:3000'],
      /^The address of an app that --app gives is not an http or https address\.$/m,
    ],
    [['--app', 'mine=http://me:pw@localhost:3000'], /^Leave the user name and the password out of --app\.$/m],
    [['--colour', 'blue'], /takes --port PORT and --app/],
  ] as const) {
    it(`refuses ${args.join(' ')} and says how it is used`, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
        encoding: 'utf8',
        timeout: 60_000,
      });
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, reason);
      assert.match(stderr, /Usage: /);
    });
  }

  it('says that a port is taken', async () => {
    const taken = await Receiver.start();
    const { port } = new URL(taken.url);
    const { status, stderr } = spawnSync(process.execPath, [main, '--port', port], { encoding: 'utf8' });
    assert.notEqual(status, 0);
    assert.match(stderr, /another program is using the port/);
    await taken.close();
  });
});
