import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Answers that are binary or long lie in files; so many are kept. */
const keep = 20;

const endings: Record<string, string> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'txt',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
};

/** The folder for answers that do not fit into a document. */
export class AnswerFiles {
  readonly #folder: string;

  /** @param storage the extension's own */
  constructor(storage: string) {
    this.#folder = join(storage, 'answers');
  }

  /** The path of a new file. Its ending is never taken from what the app named it: that text is not trusted. */
  async path(runId: string, contentType: string): Promise<string> {
    await mkdir(this.#folder, { recursive: true });
    await this.#prune();
    const [type = ''] = contentType.toLowerCase().split(';');
    return join(this.#folder, `${runId}.${endings[type.trim()] ?? 'bin'}`);
  }

  /** Deletes all of them. */
  async erase(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #prune(): Promise<void> {
    const files = (await readdir(this.#folder)).map((name) => join(this.#folder, name));
    const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
    const old = dated.sort((a, b) => b.at - a.at).slice(keep - 1);
    await Promise.all(old.map(({ file }) => rm(file, { force: true })));
  }
}
