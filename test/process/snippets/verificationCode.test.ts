import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { formatted } from '../../../scripts/build/formatted.ts';
import { root } from '../../../scripts/checkout.ts';
import { readBundle } from '../../../scripts/l10n/bundles.ts';
import {
  placedCode,
  targetTitle,
  verificationCode,
  verificationTargets,
} from '../../../src/service/signature/verificationCode.ts';
import { useBundle } from '../../../src/shared/text/l10n.ts';
import { signatureCases } from '../../support/deliveries/signatureCases.ts';

const snippets = fileURLToPath(new URL('../../../media/snippets/', import.meta.url));
const read = (file: string) => readFile(join(snippets, file), 'utf8');

function target(id: string) {
  const found = verificationTargets.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
}

describe('verification code', () => {
  it('is named in the language of the editor', () => {
    useBundle(readBundle('de'));
    const titles = [target('function'), target('express')].map(targetTitle);
    useBundle({});
    assert.deepEqual(titles, ['TypeScript: nur die Funktion', 'TypeScript: Express']);
  });

  for (const one of verificationTargets) {
    it(`${one.title}: is one file that reads the secret from the environment`, async () => {
      const code = await verificationCode(one, read);
      assert.doesNotMatch(code, /verify\.[jt]s|from verify import/);
      // The function alone is handed it.
      if (!one.id.startsWith('function')) assert.match(code, /WEBHOOK_SECRET/);
      assert.match(code, /x-service-webhook-signature/i);
    });
  }

  for (const name of ['verify', 'node', 'express', 'fetch']) {
    it(`in JavaScript is that in TypeScript without its types: ${name}`, async () => {
      const stripped = stripTypeScriptTypes(await read(`typescript/${name}.ts`)).replace(
        'verify.ts',
        'verify.js',
      );
      const script = await formatted(`${name}.js`, stripped);
      assert.equal(await read(`javascript/${name}.js`), script);
    });
  }

  it('in TypeScript has no mistake in its types, as one file, and put into one', async () => {
    const files = new Map<string, string>();
    const app =
      "import { createHmac } from 'node:crypto';\n\nexport const digest = createHmac('sha256', 'a');\n";
    for (const id of ['node', 'fetch', 'function']) {
      const code = await verificationCode(target(id), read);
      const { imports, at, rest } = placedCode({ text: app, name: 'app.ts' }, code);
      files.set(join(snippets, `typescript/${id}-new.ts`), code);
      files.set(join(snippets, `typescript/${id}-put.ts`), app.slice(0, at) + imports + app.slice(at) + rest);
    }
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
    const host = ts.createCompilerHost(options);
    const own = { fileExists: host.fileExists.bind(host), readFile: host.readFile.bind(host) };
    host.fileExists = (name) => files.has(name) || own.fileExists(name);
    host.readFile = (name) => files.get(name) ?? own.readFile(name);
    const program = ts.createProgram([...files.keys()], options, host);
    const found = [...files.keys()].flatMap((name) =>
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(name))
        .map(({ messageText }) => ({ name, messageText })),
    );
    assert.deepEqual(found, []);
  });

  it("carries the vendor's name in the header names", async () => {
    assert.match(await verificationCode(target('go'), read, 'acme-hub'), /"X-Acme-Hub-Webhook-Signature"/);
    assert.match(await verificationCode(target('flask'), read, 'acme'), /"x-acme-webhook-timestamp"/);
    const hostile = await verificationCode(target('node'), read, "a'); evil('");
    assert.doesNotMatch(hostile, /evil/);
  });

  it('has its route where deliveries go', async () => {
    const codeOf = (id: string, path: string) => verificationCode(target(id), read, undefined, path);
    assert.match(await codeOf('express', '/hooks/runs'), /app\.post\(\n {2}'\/hooks\/runs',/);
    assert.match(await codeOf('fastapi', '/hooks'), /^@app\.post\("\/hooks"\)$/m);
    for (const path of ['/', "/a'); evil('", '/{id}', '/:id', '/a b']) {
      assert.match(await codeOf('fastapi', path), /^@app\.post\("\/webhook"\)$/m, path);
    }
  });

  it('in TypeScript judges every signature case rightly', async () => {
    const module = (await import(pathToFileURL(join(snippets, 'typescript/verify.ts')).href)) as {
      verifyWebhook: (
        header: (name: string) => string | undefined,
        body: Uint8Array,
        secret: string,
        now: number,
      ) => boolean;
    };
    for (const { name, heldSecret, clock, headers, bodyBase64, verdict } of signatureCases) {
      const byName = new Map(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
      const body = Buffer.from(bodyBase64, 'base64');
      const genuine = module.verifyWebhook((key) => byName.get(key), body, heldSecret, clock);
      assert.equal(genuine, verdict === 'verified', name);
    }
  });

  it('says so where it is handed no bytes, since something has read them, and lets it be sent again', async () => {
    const { receiveWebhook } = (await import(pathToFileURL(join(snippets, 'javascript/verify.js')).href)) as {
      receiveWebhook: (
        header: () => string,
        body: unknown,
        secret: string,
        handle: () => void,
      ) => Promise<number>;
    };
    const said: unknown[] = [];
    const handle = () => assert.fail('It is not verified.');
    const { error } = console;
    console.error = (...words: unknown[]) => void said.push(...words);
    try {
      // As a parsed body, a text and none reach a handler.
      for (const body of [{ a: 1 }, '{"a":1}', undefined, null, []]) {
        assert.equal(await receiveWebhook(() => '1', body, 'secret', handle), 404);
      }
    } finally {
      console.error = error;
    }
    assert.equal(said.filter((words) => /Something has read its body before/.test(String(words))).length, 5);
  });
});
