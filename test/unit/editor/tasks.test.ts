import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  guessedAddress,
  handlerConfiguration,
  runtimeOf,
} from '../../../src/editor/kit/handlerConfiguration.ts';
import { runLines } from '../../../src/editor/tasks/runLines.ts';
import { readTask, taskSchemas } from '../../../src/editor/tasks/taskDefinition.ts';

const snippet = (path: string): string =>
  readFileSync(new URL(`../../../media/snippets/${path}`, import.meta.url), 'utf8');
const to = new URL('http://localhost:3000/webhook');
const configuration = (path: string, text = '', hasTsx = false) =>
  handlerConfiguration({ path, text, hasTsx }, to);
const variables = (text: string) => Object.keys(configuration('app.js', text).env as object);

describe('the launch configuration of a handler', () => {
  it('starts the file with the secret and the port, by node', () => {
    assert.deepEqual(configuration('server/app.ts', snippet('typescript/node.ts')), {
      name: 'Debug Webhook Handler',
      type: 'node',
      request: 'launch',
      program: '${workspaceFolder}/server/app.ts',
      skipFiles: ['<node_internals>/**'],
      env: { WEBHOOK_SECRET: '${command:runhook.webhookSecret}', PORT: '3000' },
    });
  });

  it('is refused for a file whose name the editor takes for a variable', () => {
    for (const path of [
      '${command:a.b}.js',
      'a/${input:x}/app.py',
      '${env:HOME}.ts',
      'a${b/c}.mjs',
      '$${x}.js',
    ]) {
      assert.throws(() => configuration(path), /reads "\$\{" as a variable/);
    }
    for (const path of ['$app.js', '{a}.js', '$(a).py']) {
      assert.ok(JSON.stringify(configuration(path)).includes(path));
    }
  });

  it('has tsx run TypeScript where the folder has it', () => {
    assert.deepEqual(configuration('app.mts', '', true).runtimeArgs, ['--import', 'tsx']);
    assert.equal(configuration('app.mjs', '', true).runtimeArgs, undefined);
  });

  it('starts a file by Python', () => {
    const { type, program, env } = configuration('app.py', 'serve_forever()');
    assert.deepEqual([type, program], ['debugpy', '${workspaceFolder}/app.py']);
    assert.deepEqual(env, { WEBHOOK_SECRET: '${command:runhook.webhookSecret}', PORT: '3000' });
  });

  it('has Flask and FastAPI serve the app of a file that does not do so itself', () => {
    const [flask = ''] = snippet('python/flask_app.py').split('\n# Starts with');
    const atPort = ['--port', '3000'];
    const ofFlask = configuration('api/hook.py', flask);
    assert.equal(ofFlask.module, 'flask');
    assert.deepEqual(ofFlask.args, [
      ...['--app', '${workspaceFolder}/api/hook.py', 'run', '--no-debugger', '--no-reload'],
      ...atPort,
    ]);
    assert.equal(ofFlask.program, undefined);
    const { module, args } = configuration('api/hook.py', snippet('python/fastapi_app.py'));
    assert.equal(module, 'uvicorn');
    assert.deepEqual(args, ['hook:app', '--app-dir', '${workspaceFolder}/api', ...atPort]);
    assert.deepEqual(configuration('hook.py', 'web: FastAPI = FastAPI()\n').args, [
      ...['hook:web', '--app-dir', '${workspaceFolder}'],
      ...atPort,
    ]);
    const { program } = configuration('hook.py', snippet('python/flask_app.py'));
    assert.equal(program, '${workspaceFolder}/hook.py');
  });

  it('names the variable that the file has its secret from', () => {
    assert.deepEqual(variables('const key = process.env.HOOK_SECRET'), ['HOOK_SECRET', 'PORT']);
    assert.deepEqual(variables('process.env["JWT_SECRET"] process.env[\'MY_WEBHOOK_SECRET\']'), [
      'MY_WEBHOOK_SECRET',
      'PORT',
    ]);
    assert.deepEqual(variables('os.environ["SIGNING_SECRET"]'), ['SIGNING_SECRET', 'PORT']);
    for (const name of ['STRIPE_SECRET_KEY', 'AWS_SECRET_ACCESS_KEY', 'SESSION_SECRET', 'JWT_SECRET'])
      assert.deepEqual(variables(`process.env.${name}`), ['WEBHOOK_SECRET', 'PORT'], name);
    assert.deepEqual(variables('process.env.HOST'), ['WEBHOOK_SECRET', 'PORT']);
  });

  it('finds the variable however the file reads it', () => {
    const found = (text: string) => variables(text)[0];
    for (const text of [
      'const { X_HOOK_SECRET } = process.env;',
      "const {\n  PORT = 3000,\n  X_HOOK_SECRET: secret = '',\n} = process.env;",
      'const { X_HOOK_SECRET }: NodeJS.ProcessEnv = process.env',
      'const { X_HOOK_SECRET } = import.meta.env',
      "import { env } from 'node:process';\nconst { X_HOOK_SECRET } = env;",
      'process.env.X_HOOK_SECRET!',
      'process.env?.X_HOOK_SECRET',
      'process.env[`X_HOOK_SECRET`]',
      "process.env[\n  'X_HOOK_SECRET'\n]",
      "Deno.env.get('X_HOOK_SECRET')",
      'Deno.env.get(\n  "X_HOOK_SECRET",\n)',
      'Bun.env.X_HOOK_SECRET',
      'Bun.env["X_HOOK_SECRET"]',
      'import.meta.env.X_HOOK_SECRET',
      'c.env.X_HOOK_SECRET',
      "this.configService.getOrThrow<string>('X_HOOK_SECRET')",
      'os.environ.get(\n    "X_HOOK_SECRET", ""\n)',
      "environ.get(key='X_HOOK_SECRET')",
      'os.environ["X_HOOK_SECRET"]',
      'os.environ[\n  "X_HOOK_SECRET"\n]',
      "os.getenv('X_HOOK_SECRET')",
      'getenv(\n"X_HOOK_SECRET")',
      "config('X_HOOK_SECRET', default='')",
      "config(\n    'X_HOOK_SECRET',\n)",
      "env('X_HOOK_SECRET')",
      "env.str('X_HOOK_SECRET')",
      '// process.env.OLD_WEBHOOK_SECRET\nprocess.env.X_HOOK_SECRET',
      '# os.environ["OLD_WEBHOOK_SECRET"]\nos.environ["X_HOOK_SECRET"]',
    ]) {
      assert.equal(found(text), 'X_HOOK_SECRET', text);
    }
    for (const text of [
      'const { HOOK_SECRET } = props;',
      'const { HOOK_SECRET } = process.env.other;',
      'environment.HOOK_SECRET',
      'myconfig.HOOK_SECRET',
    ]) {
      assert.equal(found(text), 'WEBHOOK_SECRET', text);
    }
  });

  it('does not take the variable of another service, which the secret would be sent to', () => {
    const found = (...names: string[]) => variables(names.map((name) => `process.env.${name}`).join('\n'))[0];
    for (const other of [
      'STRIPE_WEBHOOK_SECRET',
      'GITHUB_WEBHOOK_SECRET',
      'CLERK_WEBHOOK_SIGNING_SECRET',
      'SLACK_HOOK_SECRET',
      'SHOPIFY_WEBHOOK_SECRET',
      'NEXT_PUBLIC_SVIX_WEBHOOK_SECRET',
      'TWILIO_WEBHOOK_SECRET',
      'LEMON_SQUEEZY_WEBHOOK_SECRET',
      'WEBHOOK_SECRET_STRIPE',
      'stripeWebhookSecret',
      'StripeWebhookSecret',
    ]) {
      assert.equal(found(other), 'WEBHOOK_SECRET', other);
      assert.equal(found(other, 'MY_WEBHOOK_SECRET'), 'MY_WEBHOOK_SECRET', other);
      assert.equal(found('MY_WEBHOOK_SECRET', other), 'MY_WEBHOOK_SECRET', other);
    }
    assert.equal(found('MY_WEBHOOK_SECRET', 'WEBHOOK_SECRET'), 'WEBHOOK_SECRET');
  });

  it('has no port where the address names none', () => {
    const { env } = handlerConfiguration(
      { path: 'a.js', text: '', hasTsx: false },
      new URL('http://app.test/'),
    );
    assert.deepEqual(env, { WEBHOOK_SECRET: '${command:runhook.webhookSecret}' });
  });
});

describe('a file that a handler is started by', () => {
  it('is one that Node or Python runs', () => {
    assert.equal(runtimeOf('src/App.TS'), 'node');
    assert.equal(runtimeOf('app.cjs'), 'node');
    assert.equal(runtimeOf('app.py'), 'python');
    for (const other of ['types.d.ts', 'types.d.mts', 'app.go', 'js', 'a.js/readme', 'app.constructor']) {
      assert.equal(runtimeOf(other), undefined, other);
    }
  });

  it('tells where it seems to listen', () => {
    assert.equal(guessedAddress(''), 'localhost:3000');
    assert.equal(guessedAddress('server.listen(4100)'), 'localhost:4100');
    assert.equal(guessedAddress(snippet('python/flask_app.py')), 'localhost:3000/');
    assert.equal(
      guessedAddress("app.post('/hooks/in', express.raw())\napp.listen(80)"),
      'localhost:80/hooks/in',
    );
  });
});

describe('the lines of an answer in a terminal', () => {
  it('are its status and its body, a value a line', () => {
    assert.deepEqual(runLines({ status: 200, runId: 'run-1', body: { name: 'Ada' } }), [
      'The app returned 200, run run-1.',
      '  {',
      '    "name": "Ada"',
      '  }',
    ]);
    assert.deepEqual(runLines({ status: 500, body: 'one\r\ntwo\n' }), [
      'The app returned 500.',
      '  one',
      '  two',
    ]);
    assert.deepEqual(runLines({ status: 204, body: '' }), ['The app returned 204.']);
  });

  it('name the service where it refused the run', () => {
    assert.deepEqual(runLines({ status: 404, body: '' }), ['The service returned 404.']);
    assert.deepEqual(runLines({ status: 404, runId: 'run-1', body: '' }), [
      'The app returned 404, run run-1.',
    ]);
  });

  it('show the run id, though it may look like a token', () => {
    const runId = 'run-0123456789abcdef0123456789abcdef';
    const lines = runLines({ status: 200, runId, body: { run_id: runId, key: runId } });
    assert.deepEqual(lines.slice(2, 4), [`    "run_id": "${runId}",`, '    "key": "••••••••"']);
  });

  it('leave out what cannot be read, and what is long', () => {
    assert.deepEqual(runLines({ status: 200, body: 'AAEC', bodyEncoding: 'base64' }), [
      'The app returned 200.',
    ]);
    const many = runLines({ status: 200, body: 'x\n'.repeat(1000) });
    assert.deepEqual([many.length, many.at(-1)], [42, '  …']);
    const [, long] = runLines({ status: 200, body: 'x'.repeat(1000).replace('x', 'y') });
    assert.equal(long?.length, 402);
  });

  it('have no token in them', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlLW9mLWl0';
    for (const body of [{ token }, `Bearer ${token}`]) {
      assert.ok(!runLines({ status: 200, body }).join('\n').includes('eyJ'));
    }
  });
});

interface Contributes {
  taskDefinitions: { type: string; properties: Record<string, { enum?: string[] }> }[];
  problemMatchers: { name: string; background: { beginsPattern: string; endsPattern: string } }[];
}

const manifest = new URL('../../../package.json', import.meta.url);
const { contributes } = JSON.parse(readFileSync(manifest, 'utf8')) as { contributes: Contributes };

describe('the definition of a task', () => {
  const refused = (written: object, message: RegExp) =>
    assert.throws(() => readTask({ type: 'runhook', ...written }), { name: 'UserError', message });

  it('is read, by what the task does', () => {
    assert.deepEqual(readTask({ type: 'runhook', task: 'listen' }), { task: 'listen' });
    assert.deepEqual(readTask({ type: 'runhook', task: 'run', payload: ' a.json ', webhook: true }), {
      ...{ task: 'run', payload: 'a.json', webhook: true },
      ...{ waitForDelivery: false, timeoutSeconds: 60 },
    });
  });

  it('that does not fit is refused by the name of what is wrong', () => {
    refused({}, /"task" is missing/);
    refused({ task: 'dance' }, /"task" must be one of "listen"/);
    refused({ task: 'apply' }, /"file" is missing/);
    refused({ task: 'apply', file: 'a.runhook.json', app: 'echo' }, /"app" is not a field of "apply"/);
    refused({ task: 'send', fixture: ' ' }, /"fixture" must not be empty/);
    refused({ task: 'run', payload: 'a', timeoutSeconds: 0 }, /"timeoutSeconds" must be 1 or more/);
    refused({ task: 'run', payload: 'a', webhook: false, waitForDelivery: true }, /needs "webhook"/);
  });

  it('is in the manifest as it is read', () => {
    const [{ type, properties } = { type: '', properties: {} }, ...others] = contributes.taskDefinitions;
    assert.deepEqual([type, others], ['runhook', []]);
    assert.deepEqual(properties.task?.enum, Object.keys(taskSchemas));
    const read = Object.values(taskSchemas).flatMap(({ entries }) => Object.keys(entries));
    assert.deepEqual(Object.keys(properties).sort(), [...new Set(read)].sort());
  });
});
